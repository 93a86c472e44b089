import type { Block, Definition, Document, Note, Point } from './block.ts';

/** Collects the blocks of a text, its definitions and its footnotes. */
export class DocumentBuilder {
  readonly definitions = new Map<string, Definition>();
  readonly #goesOn: boolean;
  readonly #blocks: Block[] = [];
  readonly #notes = new Map<string, Note>();
  /** Takes the next block: the text, or the open footnote. */
  #sink = this.#blocks;
  #note: Note | null = null;

  /** @param goesOn footnotes are shown right where they are written, and there are points between the blocks */
  constructor(goesOn: boolean) {
    this.#goesOn = goesOn;
  }

  add(...blocks: readonly Block[]): void {
    this.#sink.push(...blocks);
  }

  /** Makes the next blocks those of a footnote. If the footnote was written before, the first one counts. */
  openNote(label: string): void {
    this.#sink = [];
    this.#note = { kind: 'note', label, blocks: this.#sink };
    if (this.#notes.has(label)) this.#note = null;
    else this.#notes.set(label, this.#note);
  }

  closeNote(): void {
    this.#sink = this.#blocks;
    if (this.#goesOn && this.#note !== null) this.add(this.#note);
  }

  get hasPoints(): boolean {
    return this.#goesOn && this.#sink === this.#blocks;
  }

  /** @param opening source that opens again everything open at `at` */
  pointAt(at: number, opening: string): Point {
    return { at, opening, definitions: this.definitions.size, notes: this.#notes.size };
  }

  build(): Document {
    return { blocks: this.#blocks, notes: this.#notes, definitions: this.definitions };
  }
}
