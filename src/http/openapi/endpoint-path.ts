import type { Endpoint, EndpointAnswer, EndpointMethod } from '../endpoints/endpoint.ts';
import { toObjectSchema, type Schema } from './json-schema.ts';
import { problemResponses, successResponse } from './responses.ts';

const PARAMETERS = ['flat', 'always_200'].map((name) => ({ $ref: `#/components/parameters/${name}` }));

type Documented = EndpointMethod & { readonly answer: EndpointAnswer };

function documentedMethods({ methods }: Endpoint): (readonly [method: string, Documented])[] {
  return Object.entries(methods).flatMap(([method, each]) =>
    each.answer === null ? [] : [[method.toLowerCase(), { ...each, answer: each.answer }] as const],
  );
}

/** Schemas for `components.schemas`. */
export function endpointSchemas(endpoint: Endpoint): Schema {
  return Object.fromEntries(
    documentedMethods(endpoint).map(([, { answer }]) => [
      answer.schemaName,
      toObjectSchema(answer.output, 'output'),
    ]),
  );
}

/** The path of an endpoint with its methods; empty when OpenAPI leaves it out. */
export function endpointPaths(endpoint: Endpoint): Schema {
  const methods = documentedMethods(endpoint).map(([method, each]) => [
    method,
    describeMethod(endpoint, each),
  ]);
  return methods.length === 0 ? {} : { [endpoint.path]: Object.fromEntries(methods) };
}

function describeMethod({ tag }: Endpoint, { id, summary, description, answer }: Documented): Schema {
  const success = successResponse(
    answer.description,
    { $ref: `#/components/schemas/${answer.schemaName}` },
    { answer: { value: answer.example } },
    [],
    answer.isCounted,
  );
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(answer.needsKey ? { parameters: PARAMETERS } : { security: [] }),
    responses: { '200': success, ...problemResponses(answer.problems) },
  };
}
