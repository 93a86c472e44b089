/** A text as it is in chunks: in mode `code`, three back-ticks in a row are apart. */
export function asWritten(text: string, mode: string): string {
  return mode === 'code' ? text.replaceAll(/``(?=`)/g, '``\u200b') : text;
}
