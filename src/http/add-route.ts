import type { Express, Request, RequestHandler } from 'express';

import { Problem } from '../problem.ts';

export type Method = 'GET' | 'POST' | 'DELETE';

export interface Route {
  readonly path: string;
  /** Name in logs and metrics. */
  readonly name: string;
  /** Refuses what no method of this path takes. */
  readonly check: (request: Request) => void;
  /** HEAD comes with GET. */
  readonly methods: Readonly<Partial<Record<Method, readonly RequestHandler[]>>>;
}

/** A path with all its methods: OPTIONS lists them, and any other one is refused. */
export function addRoute(app: Express, { path, name, check, methods }: Route): void {
  const names = Object.keys(methods);
  const allow = names.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).concat('OPTIONS');
  const route = app.route(path);
  route.all((request, response, next) => {
    response.locals.operation = name;
    check(request);
    next();
  });
  if (methods.GET !== undefined) route.get(...methods.GET);
  if (methods.POST !== undefined) route.post(...methods.POST);
  if (methods.DELETE !== undefined) route.delete(...methods.DELETE);
  route.all((request, response) => {
    response.setHeader('Allow', allow.join(', '));
    if (request.method !== 'OPTIONS') {
      throw new Problem('method_not_allowed', { hint: `Use ${names.join(' or ')}.` });
    }
    response.status(204).end();
  });
}
