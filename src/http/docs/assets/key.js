// The key is kept in this tab's session storage and put into calls and copied recipes. It goes to no other host.
const KEY_ITEM = 'quartermaster-key';
const NAME_ITEM = 'quartermaster-key-name';
const GUILD_ITEM = 'quartermaster-guild';

export const currentKey = () => sessionStorage.getItem(KEY_ITEM) ?? '';
export const ownGuild = () => sessionStorage.getItem(GUILD_ITEM) ?? '';

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
 */
export function keepOwner(name, guildId) {
  sessionStorage.setItem(NAME_ITEM, name);
  sessionStorage.setItem(GUILD_ITEM, guildId ?? '');
}

export function forgetKey() {
  for (const item of [KEY_ITEM, NAME_ITEM, GUILD_ITEM]) sessionStorage.removeItem(item);
}

/** Says whose key calls are sent with. */
export function describeKey() {
  if (currentKey() === '') return 'You have no key here yet: paste one to get live answers.';
  const name = sessionStorage.getItem(NAME_ITEM);
  return name === null ? `Sent with the key ${maskedKey()}` : `Sent with ${maskedKey()}, the key “${name}”.`;
}
