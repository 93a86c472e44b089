import { decodeNamedCharacterReference } from 'decode-named-character-reference';

const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/y;

/** What a character reference means, and where it ends; null where there is none. */
export function readEntity(text: string, at: number): { value: string; end: number } | null {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(text);
  if (match === null) return null;
  const [, decimal, hex, name] = match;
  const value =
    name !== undefined
      ? decodeNamedCharacterReference(name)
      : fromCode(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal));
  return value === false ? null : { value, end: ENTITY.lastIndex };
}

function fromCode(code: number): string {
  const isText = code >= 0x20 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
  return isText ? String.fromCodePoint(code) : '\ufffd';
}

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  let decoded = '';
  let from = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    const entity = readEntity(text, at);
    if (entity === null) continue;
    decoded += text.slice(from, at) + entity.value;
    from = entity.end;
  }
  return decoded + text.slice(from);
}
