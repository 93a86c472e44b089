export interface CurlLinesOptions {
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly key: string;
  readonly imageUrl: string;
  readonly roleId: string;
  readonly botToken: string;
}

/** A line for each operation that answers 200 when it is pasted into a shell. */
export function curlLines({ publicUrl, key, imageUrl, roleId, botToken }: CurlLinesOptions): string[] {
  const post = (path: string, body: object) =>
    `curl -sS ${publicUrl}${path} -H 'Authorization: ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  const get = (path: string, headers: string) =>
    `curl -sS '${publicUrl}${path}' -H 'Authorization: ${key}'${headers}`;
  return [
    post('/api/parse-args', { text: '!tempban <@200000000000000000> 7d spamming links' }),
    post('/api/chat/permission-encoder', { permissions: ['SEND_MESSAGES', 'ADD_REACTIONS'] }),
    post('/api/text-splitter', { text: 'One sentence. Another sentence.', max_length: 20 }),
    post('/api/image-to-base64', { url: imageUrl }),
    get(`/api/role-members?role_id=${roleId}&limit=5`, ''),
    get(`/api/role-members?role_id=${roleId}&source=token&count_only=true`, ` -H 'Token: ${botToken}'`),
  ];
}
