import type { BuilderId } from '../../recipes/builders.ts';
import { Problem } from '../../kernel/problem.ts';
import { byLastPart } from '../not-found.ts';
import { siteOf, type DocumentsOptions } from './documents-options.ts';
import { HTML_TYPE, JSON_TYPE, MARKDOWN_TYPE, type Document } from './send-document.ts';

const DEFAULT_BUILDER = 'bdfd';

const guides = () => import('./pages/guides.ts');

/** The pages under /docs. Each is made on its first request, and kept. */
export class KeptDocuments {
  readonly #options: DocumentsOptions;
  readonly #made = new Map<string, () => Promise<Document>>();

  constructor(options: DocumentsOptions) {
    this.#options = options;
  }

  /**
   * The page of all operations.
   * @param builder null when the reader has chosen none
   */
  async overview(builder: BuilderId | null): Promise<Document> {
    const { docsPage } = await import('./pages/docs-page.ts');
    return this.#keep('', builder, () =>
      docsPage(this.#options, builder ?? DEFAULT_BUILDER, builder !== null),
    );
  }

  /** The page of an operation or guide, or a guide's source when the name ends in `.md`; null for any other name. */
  async find(name: string, builder: BuilderId | null): Promise<Document | null> {
    return (await this.#findOperation(name, builder)) ?? (await this.#findGuide(name));
  }

  /**
   * A workflow of `docs/flows/`, to import into a builder.
   * @throws Problem `not_found`
   */
  async flow(name: string): Promise<Document> {
    const { FLOW_NAMES, flowSource } = await guides();
    if (!FLOW_NAMES.includes(name)) throw new Problem('not_found');
    return this.#keep(name, null, () => flowSource(name, this.#options.publicUrl()), JSON_TYPE);
  }

  /** The paths of all operations and guides, by their last part. */
  async paths(): Promise<ReadonlyMap<string, string>> {
    const { GUIDE_NAMES } = await guides();
    const names = [...this.#options.operations.map(({ name }) => name), ...GUIDE_NAMES];
    return byLastPart(names.map((name) => `/docs/${name}`));
  }

  async #findOperation(asked: string, builder: BuilderId | null): Promise<Document | null> {
    const operation = this.#options.operations.find(({ name }) => name === asked);
    if (operation === undefined) return null;
    const { operationPage } = await import('./pages/operation-page.ts');
    return this.#keep(asked, builder, () =>
      operationPage(operation, this.#options, builder ?? DEFAULT_BUILDER, builder !== null),
    );
  }

  async #findGuide(asked: string): Promise<Document | null> {
    const { GUIDE_NAMES, guidePage, guideSource } = await guides();
    const name = GUIDE_NAMES.find((each) => asked === each || asked === `${each}.md`);
    if (name === undefined) return null;
    return asked === name
      ? this.#keep(asked, null, () => guidePage(name, siteOf(this.#options)))
      : this.#keep(asked, null, () => guideSource(name), MARKDOWN_TYPE);
  }

  #keep(
    name: string,
    builder: BuilderId | null,
    make: () => string | Promise<string>,
    type = HTML_TYPE,
  ): Promise<Document> {
    // The bot is known only once Discord has answered.
    const cacheKey = `${name} ${builder} ${this.#options.inviteUrl()}`;
    const made = this.#made.get(cacheKey) ?? once(async () => ({ type, body: await make() }));
    this.#made.set(cacheKey, made);
    return made();
  }
}

/** Makes the value once. A failure is not cached. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));
}
