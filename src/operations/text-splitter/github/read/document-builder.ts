import type { Block, Definition, Document, Place } from './block.ts';
import type { ChangeCounts } from './change-counts.ts';
import { blocksOf, type Leaf } from './leaf.ts';

/** Collects the blocks of a text, its definitions and its footnotes. */
export class DocumentBuilder {
  readonly definitions = new Map<string, Definition>();
  readonly #changes: ChangeCounts;
  readonly #goesOn: boolean;
  readonly #blocks: Block[] = [];
  readonly #notes = new Map<string, Block[]>();
  /** Takes the next block: the text, or the footnote that is open. */
  #sink = this.#blocks;
  /** Of the footnote that is open; null for one that was written before. */
  #label: string | null = null;
  #isDecided = true;

  /** @param goesOn footnotes are shown where they are written, and there are points between the blocks */
  constructor(changes: ChangeCounts, goesOn: boolean) {
    this.#changes = changes;
    this.#goesOn = goesOn;
  }

  add(block: Block): void {
    this.#sink.push(block);
  }

  addHeading(place: Place, text: string, heading: number): void {
    this.add({ kind: 'text', place, text, heading, isPrepared: false });
  }

  addRule(isQuoted: boolean): void {
    for (const block of [{ kind: 'gap' }, { kind: 'blank', isQuoted }, { kind: 'gap' }] as const)
      this.add(block);
  }

  addLeaf(leaf: Leaf): void {
    for (const block of blocksOf(leaf, this.definitions, this.#changes)) this.add(block);
  }

  /** The blocks that follow are those of a footnote. */
  openNote(label: string): void {
    this.#sink = [];
    this.#label = this.#notes.has(label) ? null : label;
    if (this.#label !== null) this.#notes.set(label, this.#sink);
  }

  closeNote(): void {
    const blocks = this.#sink;
    this.#sink = this.#blocks;
    if (this.#goesOn && this.#label !== null) this.add({ kind: 'note', label: this.#label, blocks });
  }

  /** Only later text decides how the text is read from here on: no point follows. */
  stopPoints(): void {
    this.#isDecided = false;
  }

  get hasPoints(): boolean {
    return this.#goesOn && this.#isDecided && this.#sink === this.#blocks;
  }

  /** @param opening source that opens again what is open at `at` */
  addPoint(at: number, opening: string): void {
    const known = { definitions: this.definitions.size, notes: this.#notes.size };
    this.add({ kind: 'point', point: { at, opening, ...known } });
  }

  build(): Document {
    return { blocks: this.#blocks, notes: this.#notes, definitions: this.definitions };
  }
}
