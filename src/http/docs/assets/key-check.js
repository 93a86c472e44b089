// Checks a pasted key. Loaded where a reader pastes one, and where a form needs its server.
import { call, describeQuota, describeWrongLetter } from './call.js';
import { needsLists } from './builder.js';
import { currentKey, keepAbout } from './key.js';

/**
 * A key is pasted with `Bearer` before it, with quotes, or with the whole line of a header.
 * @param {string} pasted
 */
export function tidyKey(pasted) {
  const text = pasted.trim();
  return /(?<!\w)qm_\w+/.exec(text)?.[0] ?? text.replace(/^bearer\s+/i, '');
}

/**
 * Asks the service about the key and keeps its name and its server. Keys of some builders have flat answers by default.
 * @returns {Promise<{ isGood: boolean, text: string }>}
 */
export async function checkKey() {
  if (currentKey() === '') return { isGood: false, text: 'Paste a key first.' };
  const wrongLetter = describeWrongLetter();
  if (wrongLetter !== null) return { isGood: false, text: wrongLetter };
  try {
    const { response, body } = await call('api/key?flat=false');
    if (!body.ok)
      return { isGood: false, text: `${body.status} ${body.code}: ${body.error} ${body.hint ?? ''}` };
    const {
      name,
      guild_id: guildId,
      flat: isFlat,
      operations,
    } = /** @type {{ name: string, guild_id: string | null, flat: boolean, operations: string[] | null }} */ (
      /** @type {unknown} */ (body)
    );
    keepAbout(name, guildId, isFlat);
    const works = guildId === null ? 'works (a key of no server)' : `of server ${guildId} works`;
    const members =
      guildId === null
        ? " Operations about members need a key of your server, or guild_id and your bot's Token with each call."
        : '';
    const may = operations === null ? '' : ` It may only call ${operations.join(', ')}.`;
    const builder = isFlat ? needsLists() : null;
    const wrong =
      builder === null
        ? ''
        : ` It was made for BDFD or BotGhost: its answers are flat, and ${builder} needs lists. Make another key for ${builder}.`;
    return { isGood: true, text: `“${name}” ${works}; ${describeQuota(response)}.${members}${may}${wrong}` };
  } catch {
    return { isGood: false, text: 'The service does not answer.' };
  }
}
