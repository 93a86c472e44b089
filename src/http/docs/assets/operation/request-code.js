// The request of a form as code: for the page that the service sends, and again whenever something is typed.

/**
 * @typedef {object} Call
 * @property {string} method
 * @property {string} url without a query
 * @property {Readonly<Record<string, unknown>>} fields
 * @property {Readonly<Record<string, string>>} headers the variables of the environment that hold them
 */

export const LANGUAGES = Object.freeze({ sh: 'curl', js: 'JavaScript', python: 'Python' });

/** @typedef {keyof typeof LANGUAGES} Language */

/**
 * @param {Language} language
 * @param {Call} call
 * @returns {string}
 */
export function requestCode(language, call) {
  return WRITERS[language](call);
}

/** @param {unknown} value */
const inShell = (value) => `'${asText(value).replaceAll("'", String.raw`'\''`)}'`;

/**
 * As a query and a form have it.
 * @param {unknown} value
 */
function asText(value) {
  return Array.isArray(value) ? value.join(', ') : String(value);
}

const WRITERS = {
  /** @param {Call} call */
  sh: ({ method, url, fields, headers }) =>
    [
      `curl ${method === 'GET' ? '-G ' : ''}${inShell(url)}`,
      ...Object.entries(headers).map(([name, variable]) => `  -H "${name}: $${variable}"`),
      ...Object.entries(fields).map(
        ([name, value]) => `  --data-urlencode ${inShell(`${name}=${asText(value)}`)}`,
      ),
    ].join(' \\\n'),
  /** @param {Call} call */
  js({ method, url, fields, headers }) {
    const isGet = method === 'GET';
    const hasQuery = isGet && Object.keys(fields).length > 0;
    return [
      ...(hasQuery ? [`const query = new URLSearchParams(${inJs(texts(fields))});`] : []),
      `const response = await fetch(${hasQuery ? `\`${url}?\${query}\`` : `'${url}'`}, {`,
      ...(isGet ? [] : [`  method: '${method}',`]),
      '  headers: {',
      ...Object.entries(headers).map(([name, variable]) => `    ${name}: process.env.${variable},`),
      ...(isGet ? [] : ["    'Content-Type': 'application/json',"]),
      '  },',
      ...(isGet ? [] : [`  body: JSON.stringify(${inJs(fields)}),`]),
      '});',
      'const answer = await response.json();',
      'if (!answer.ok) console.error(answer.error);',
    ].join('\n');
  },
  /** @param {Call} call */
  python({ method, url, fields, headers }) {
    const values = Object.entries(headers).map(([name, variable]) => `'${name}': os.environ['${variable}']`);
    const sent = method === 'GET' ? `params=${inPython(texts(fields))}` : `json=${inPython(fields)}`;
    return [
      'import os, requests',
      '',
      `answer = requests.${method.toLowerCase()}(`,
      `    '${url}',`,
      `    headers={${values.join(', ')}},`,
      ...(Object.keys(fields).length > 0 ? [`    ${sent},`] : []),
      '    timeout=15,',
      ').json()',
      "if not answer['ok']:",
      "    print(answer['error'])",
    ].join('\n');
  },
};

/** @param {Readonly<Record<string, unknown>>} fields */
function texts(fields) {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, asText(value)]));
}

/** @param {Readonly<Record<string, unknown>>} fields */
function inJs(fields) {
  const pairs = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** @type {ReadonlyMap<unknown, string>} */
const PYTHON_WORDS = new Map([
  [true, 'True'],
  [false, 'False'],
]);

/** @param {Readonly<Record<string, unknown>>} fields */
function inPython(fields) {
  const pairs = Object.entries(fields).map(
    ([name, value]) => `'${name}': ${PYTHON_WORDS.get(value) ?? JSON.stringify(value)}`,
  );
  return `{${pairs.join(', ')}}`;
}
