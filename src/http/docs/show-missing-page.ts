import type { NextFunction, Request, Response } from 'express';

import { Problem } from '../../kernel/problem.ts';
import { siteOf, type SiteOptions } from './documents-options.ts';
import { wantsPage } from './accepts.ts';
import { HTML_TYPE, sendDocument } from './send-document.ts';

/** Answers with a page when a browser requests one that does not exist. Programs get the usual JSON. */
export function showMissingPage(options: SiteOptions) {
  return async (error: unknown, request: Request, response: Response, next: NextFunction): Promise<void> => {
    const { method, path } = request;
    const isMissing = error instanceof Problem && error.code === 'not_found';
    const isRead = method === 'GET' || method === 'HEAD';
    const isForPeople = isRead && !/^\/(?:api|health)(?:\/|$)/.test(path) && wantsPage(request);
    if (!isMissing || !isForPeople) return next(error);
    response.locals.problem = error;
    const { notFoundPage } = await import('./pages/not-found-page.ts');
    sendDocument(
      response,
      { type: HTML_TYPE, body: notFoundPage(path, meantPage(error), siteOf(options)) },
      'no-cache',
      error.status,
    );
  };
}

/** The page that was probably meant, or null. The URL of an operation is no page, because it needs a key. */
function meantPage({ values }: Problem): string | null {
  const meant = String(values['meant'] ?? '');
  return meant.startsWith('/docs/') ? meant : null;
}
