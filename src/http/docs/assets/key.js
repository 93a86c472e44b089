// The key is kept in this tab's session storage and put into calls and copied recipes. It goes to no other host.
const KEY_ITEM = 'quartermaster-key';
const NAME_ITEM = 'quartermaster-key-name';
const GUILD_ITEM = 'quartermaster-guild';
const FLAT_ITEM = 'quartermaster-key-flat';

export const currentKey = () => sessionStorage.getItem(KEY_ITEM) ?? '';
export const ownGuild = () => sessionStorage.getItem(GUILD_ITEM) ?? '';
/** Whether the service has said that it belongs to no server. */
export const isOfNoServer = () => sessionStorage.getItem(GUILD_ITEM) === '';
/** Whether its answers are flat by default, as BDFD and BotGhost need them. */
export const isFlatKey = () => sessionStorage.getItem(FLAT_ITEM) !== null;

/** The public part is enough to tell one key from another. */
export const maskedKey = () => (currentKey() === '' ? '' : `${currentKey().slice(0, 6)}…`);

/** @param {string} key */
export function keepKey(key) {
  if (key === currentKey()) return;
  forgetKey();
  sessionStorage.setItem(KEY_ITEM, key);
}

/**
 * @param {string} name
 * @param {string | null} guildId
 * @param {boolean} isFlat
 */
export function keepAbout(name, guildId, isFlat) {
  sessionStorage.setItem(NAME_ITEM, name);
  sessionStorage.setItem(GUILD_ITEM, guildId ?? '');
  if (isFlat) sessionStorage.setItem(FLAT_ITEM, '');
  else sessionStorage.removeItem(FLAT_ITEM);
}

export function forgetKey() {
  for (const item of [KEY_ITEM, NAME_ITEM, GUILD_ITEM, FLAT_ITEM]) sessionStorage.removeItem(item);
}

/** Says whose key calls are sent with. */
export function describeKey() {
  if (currentKey() === '') return 'You have no key here yet: paste one to get live answers.';
  const name = sessionStorage.getItem(NAME_ITEM);
  return name === null ? `Sent with the key ${maskedKey()}` : `Sent with ${maskedKey()}, the key “${name}”.`;
}
