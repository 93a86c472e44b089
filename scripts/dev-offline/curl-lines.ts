import { EXAMPLE_IMAGE_URL, EXAMPLE_MEMBER_IDS, EXAMPLE_ROLE_ID } from '../../src/operations/examples.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';

export interface CurlLinesOptions {
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly key: string;
  readonly imageUrl: string;
  readonly roleId: string;
  readonly memberId: string;
  readonly botToken: string;
  readonly webhookUrl: string;
}

/** A line for the example of each operation, with what is here in it: each answers 200 when it is pasted into a shell. */
export function curlLines({
  publicUrl,
  key,
  imageUrl,
  roleId,
  memberId,
  botToken,
  webhookUrl,
}: CurlLinesOptions): string[] {
  const here = new Map<unknown, string>([
    [EXAMPLE_IMAGE_URL, imageUrl],
    [EXAMPLE_ROLE_ID, roleId],
    ...EXAMPLE_MEMBER_IDS.map((id) => [id, memberId] as const),
  ]);
  const line = ({ path, method, example, secretHeader }: Operation, isOwn: boolean) => {
    const fields = Object.entries(example.input)
      .filter(([name]) => name !== 'guild_id')
      .map(([name, value]) => [name, here.get(value) ?? value] as const);
    const token = isOwn ? '' : ` -H 'Token: ${botToken}'`;
    if (method === 'POST') {
      const body = JSON.stringify(Object.fromEntries(fields));
      const webhook = secretHeader === 'Webhook' ? ` -H 'Webhook: ${webhookUrl}'` : '';
      return `curl -sS ${publicUrl}${path} -H 'Authorization: ${key}' -H 'Content-Type: application/json'${webhook} -d '${body}'`;
    }
    const given = isOwn ? fields : [...fields, ['source', 'token'] as const];
    const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
    const url = publicUrl + path + (query.size === 0 ? '' : `?${query.toString()}`);
    return `curl -sS '${url}' -H 'Authorization: ${key}'${token}`;
  };
  return OPERATIONS.flatMap((operation) => [
    line(operation, true),
    ...(operation.secretHeader === 'Token' ? [line(operation, false)] : []),
  ]);
}
