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

/** Control characters other than white space, halves of pairs, and what Unicode says will never be a character. */
const NO_TEXT = /[\p{Cs}\p{Noncharacter_Code_Point}]|(?!\s)\p{Cc}|\u000b/u;

function fromCode(code: number): string {
  const value = code <= 0x10_ffff ? String.fromCodePoint(code) : '';
  return value === '' || NO_TEXT.test(value) ? '\ufffd' : value;
}

export function decodeEntities(text: string): string {
  return text.replaceAll(/&#?\w{1,32};/g, (reference) => readEntity(reference, 0)?.value ?? reference);
}
