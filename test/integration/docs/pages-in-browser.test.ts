import { afterAll, beforeAll, describe } from 'vitest';

import { testAccess } from './in-browser/access.ts';
import { testFirstVisits } from './in-browser/first-visits.ts';
import { testKeyOfReader } from './in-browser/key-of-reader.ts';
import { testOldLinks } from './in-browser/old-links.ts';
import { testOperationPages } from './in-browser/operation-pages.ts';
import { isBrowserMissing, openPages, type Pages } from './in-browser/pages.ts';
import { testSearch } from './in-browser/search.ts';

// One file, because a browser with its first page takes as much time as fifteen pages more.
describe.skipIf(isBrowserMissing())('in a browser', () => {
  let opened: Pages | undefined;
  beforeAll(async () => {
    opened = await openPages();
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());

  const pages = (): Pages => {
    if (opened === undefined) throw new Error('The pages are opened before the tests.');
    return opened;
  };
  describe('a first visit', () => {
    testFirstVisits(pages);
  });
  describe('the page of an operation', () => {
    testOperationPages(pages);
  });
  describe('the key of a reader', () => {
    testKeyOfReader(pages);
  });
  describe('access for everybody', () => {
    testAccess(pages);
  });
  describe('the search of a page', () => {
    testSearch(pages);
  });
  describe('an old link', () => {
    testOldLinks(pages);
  });
});
