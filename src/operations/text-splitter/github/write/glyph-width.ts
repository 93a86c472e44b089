/** Width of an ideograph or an emoji in Discord's code font, in cells. */
const WIDE_CELLS = 1.7;

const ZERO_WIDTH = /[\p{M}\p{Cf}]|\p{Emoji_Modifier}/u;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
const NARROW_ONLY = /^[\u0020-\u02ff\u0370-\u0482\u048a-\u052f]*$/;
const JOINER = 0x200d;

/** The width of a line in a code block of Discord, in cells. */
export function widthOf(text: string): number {
  if (NARROW_ONLY.test(text)) return text.length;
  let width = 0;
  let isJoined = false;
  let isHalfFlag = false;
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0;
    const isFlag = code >= 0x1f1e6 && code <= 0x1f1ff;
    if (code === JOINER) isJoined = true;
    else if (ZERO_WIDTH.test(sign)) continue;
    else if (isFlag && isHalfFlag) isHalfFlag = false;
    else {
      // A glyph that a joiner ties to the one before takes no room of its own.
      if (!isJoined) width += code > 0x7f && WIDE.test(sign) ? WIDE_CELLS : 1;
      isJoined = false;
      isHalfFlag = isFlag;
    }
  }
  return width;
}
