import type { ErrorRequestHandler, Express, RequestHandler } from 'express';

import { Problem } from '../kernel/problem.ts';
import type { Endpoint } from './locals.ts';

type Handler = RequestHandler | ErrorRequestHandler;

/** The handlers of each method that a path takes. HEAD comes with GET. */
export type Methods = Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', readonly Handler[]>>>;

/** Adds all methods of a path together. OPTIONS lists them, and any other method is refused. */
export class Routes {
  readonly #app: Express;
  readonly #check: RequestHandler;

  /** @param check runs once a path has its name, so that a refusal counts under that name */
  constructor(app: Express, check: RequestHandler) {
    this.#app = app;
    this.#check = check;
  }

  add(endpoint: Endpoint, methods: Methods): void {
    const names = Object.keys(methods);
    const allow = names
      .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      .concat('OPTIONS');
    const route = this.#app.route(endpoint.path);
    route.all((_request, { locals }, next) => {
      locals.endpoint = endpoint;
      next();
    }, this.#check);
    if (methods.GET !== undefined) route.get(...methods.GET);
    if (methods.POST !== undefined) route.post(...methods.POST);
    if (methods.DELETE !== undefined) route.delete(...methods.DELETE);
    route.all((request, response) => {
      response.setHeader('Allow', allow.join(', '));
      if (request.method === 'OPTIONS') return response.status(204).end();
      throw new Problem('method_not_allowed/use', { values: { methods: names.join(' or ') } });
    });
  }
}
