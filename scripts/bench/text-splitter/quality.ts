import { DEFECTS, findDefects } from '../../../test/unit/operations/text-splitter/check-split.ts';
import type { CheckedPiece, Defect } from '../../../test/unit/operations/text-splitter/check-split.ts';
import { markdownTable } from '../measure.ts';
import type { CorpusText } from '../../../test/fixtures/text-corpus/corpus.ts';
import { LIMIT, locate, type Peer } from './peers.ts';

const SENTENCE_END = /[.!?…。！？؟।][")'\]}”’»*_~|]*$/;

/**
 * One row for each splitter over all texts: texts without a defect, defects by kind, chunks over the least, natural
 * cuts.
 */
export async function compareQuality(peers: readonly Peer[], texts: readonly CorpusText[]): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const peer of peers) rows.push(await rate(peer, texts));
  return markdownTable(
    [
      'splitter',
      `clean of ${texts.length}`,
      'refused',
      ...DEFECTS,
      'chunks ÷ least',
      'cuts at a sentence or better',
    ],
    rows,
  );
}

async function rate({ name, split }: Peer, texts: readonly CorpusText[]): Promise<(string | number)[]> {
  const defects = new Map<Defect, number>();
  let clean = 0;
  let refused = 0;
  let chunks = 0;
  let least = 0;
  let natural = 0;
  for (const { text } of texts) {
    let pieces: CheckedPiece[];
    try {
      pieces = locate(text, await split(text));
    } catch {
      refused += 1;
      continue;
    }
    const found = findDefects(text, pieces, LIMIT);
    if (found.length === 0) clean += 1;
    for (const { defect } of found) defects.set(defect, (defects.get(defect) ?? 0) + 1);
    chunks += pieces.length;
    least += Math.ceil(text.length / LIMIT);
    natural += pieces
      .slice(1)
      .filter(({ start }, index) => isNatural(text, pieces[index]?.end ?? 0, start)).length;
  }
  const cuts = chunks - (texts.length - refused);
  return [
    name,
    clean,
    refused,
    ...DEFECTS.map((defect) => defects.get(defect) ?? 0),
    (chunks / least).toFixed(3),
    `${Math.round((natural / cuts) * 100)} %`,
  ];
}

function isNatural(text: string, end: number, start: number): boolean {
  return text.slice(end, start).includes('\n') || SENTENCE_END.test(text.slice(Math.max(0, end - 12), end));
}
