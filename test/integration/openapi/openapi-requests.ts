import type { Operation } from '../../../src/operations/operation.ts';
import { EXAMPLE_GUILD_ID, EXAMPLE_ROLE_ID } from '../../../src/operations/examples.ts';
import type { ExampleService } from '../recipes/example-service.ts';

export interface ApiRequest {
  /** For messages. */
  readonly how: string;
  readonly path: string;
  readonly init: { readonly method?: string; body?: string; headers?: Record<string, string> };
}

type Input = Readonly<Record<string, unknown>>;

/** All documented ways to send that input to an operation. */
export function requestsOf(operation: Operation, input: Input): ApiRequest[] {
  const { path, textField } = operation;
  const query: ApiRequest = { how: 'query', path: `${path}?${toQuery(input)}`, init: {} };
  if (operation.method === 'GET') return [query];
  const requests = [
    operation.readOnly ? query : { ...query, init: { method: 'POST' } },
    post('JSON', path, JSON.stringify(input), 'application/json'),
    post('form', path, toQuery(input), 'application/x-www-form-urlencoded'),
  ];
  if (textField === null) return requests;
  const { [textField]: text, ...options } = input;
  return [...requests, post('text', `${path}?${toQuery(options)}`, String(text), 'text/plain')];
}

/** Requests that an operation refuses. */
export function badRequestsOf(operation: Operation, service: ExampleService): ApiRequest[] {
  const { path } = operation;
  const get = (query: string, headers: Record<string, string> = {}): ApiRequest => ({
    how: `only ${query}`,
    path: path + query,
    // What changes something has no GET.
    init: { headers, ...(operation.readOnly ? {} : { method: 'POST' }) },
  });
  const json = (body: object) => post('JSON', path, JSON.stringify(body), 'application/json');
  const always = [
    get('', { authorization: 'nonsense' }),
    get('?flat=perhaps'),
    get(`?key=${service.key}`),
    ...Object.keys(operation.input.shape).map((name) => get(`?${name}={placeholder}&${name}=twice`)),
  ];
  if (operation.secretHeader === 'Token') {
    const unknownRole = `1${EXAMPLE_ROLE_ID.slice(1)}`;
    always.push(
      get(`?role_id=${EXAMPLE_ROLE_ID}&source=gateway`),
      get(`?role_id=${unknownRole}&guild_id=${EXAMPLE_GUILD_ID}`),
      get(`?role_id=${EXAMPLE_ROLE_ID}&source=token`, { token: 'mfa.x' }),
    );
  }
  if (operation.method === 'GET') return always;
  return [
    ...always,
    post('cut JSON', path, '{', 'application/json'),
    post('image', path, 'x', 'image/png'),
    json({}),
    json({ text: 'x'.repeat(1_100_000) }),
    json({ permissions: ['FLY'], url: 'ftp://x', bitfield: 'x', text: 5 }),
    json({ url: service.imageUrl.replace('0.png', 'drawing') }),
  ];
}

function toQuery(input: Input): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    for (const each of [value].flat()) query.append(name, String(each));
  }
  return query.toString();
}

function post(how: string, path: string, body: string, type: string): ApiRequest {
  return { how, path, init: { method: 'POST', body, headers: { 'content-type': type } } };
}
