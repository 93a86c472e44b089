import { expect, test } from 'vitest';

import { EndpointMap } from '../../../src/http/endpoints/endpoint-map.ts';
import { WITHOUT_BODY, type Endpoint } from '../../../src/http/exchange/endpoint.ts';

const endpoint: Endpoint = {
  ...WITHOUT_BODY,
  name: 'test',
  path: '/api/parse-args',
  methods: ['GET'],
  key: 'ignored',
  bucket: 'guild',
  handle: () => Promise.reject(new Error('not called')),
};
const endpoints = new EndpointMap([endpoint]);

test.each([
  ['as it is documented', '/api/parse-args'],
  ['with a query', '/api/parse-args?text=/docs/'],
  ['with a slash at the end', '/api/parse-args/'],
  ['with a slash and a query', '/api/parse-args/?text=a'],
  ['in other letters', '/API/Parse-Args'],
  ['with a fragment that a client left in', '/api/parse-args#form'],
  ['whole, as some proxies send it', 'http://service.test:8080/api/parse-args?text=a'],
])('a path is found %s', (_, url) => {
  expect(endpoints.find(url)).toBe(endpoint);
});

test.each([
  ['two slashes at the end', '/api/parse-args//'],
  ['two slashes in front', '//api/parse-args'],
  ['more behind it', '/api/parse-args/x'],
  ['it as another path’s query', '/?/api/parse-args'],
  ['the star', '*'],
  ['the root', '/'],
  ['only an origin', 'http://service.test'],
  ['nothing', ''],
])('%s is another address', (_, url) => {
  expect(endpoints.find(url)).toBeUndefined();
});
