import type { DocumentsOptions } from './documents-options.ts';
import { presentationOf } from './operations/presentations.ts';
import type { Showcase } from './pages/landing-page.ts';

/** The samples of the start page: inputs of the first operation that has any, with the answers of this service. */
export async function takeSamples({
  operations,
  operationServices,
}: DocumentsOptions): Promise<Showcase | null> {
  const operation = operations.find((each) => presentationOf(each).showcase !== undefined);
  if (operation === undefined) return null;
  const { showcase = {} } = presentationOf(operation);
  const noCaller = { tenantId: '0', guildId: null, secret: null, idempotencyKey: null };
  const { signal } = new AbortController();
  const samples = Object.entries(showcase).map(async ([label, input]) => {
    const { value } = await operation.answer(input, { ...operationServices, ...noCaller, signal });
    return { label, typed: String(Object.values(input)[0]), answer: value };
  });
  return { operation, samples: await Promise.all(samples) };
}
