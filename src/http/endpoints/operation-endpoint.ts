import type { Operation, OperationContext } from '../../operations/operation.ts';
import type { VerifiedKey } from '../../guild-keys/guild-keys.ts';
import { Problem } from '../../problem.ts';
import type { Call, Endpoint } from '../exchange/endpoint.ts';
import { KeptAnswers } from '../exchange/kept-answers.ts';

/** What operations reach through. */
export type Collaborators = Pick<OperationContext, 'now' | 'images' | 'members' | 'tokenMembers'>;

/** An operation as an endpoint: POST operations answer GET too, with their input in the query. */
export function operationEndpoint(operation: Operation, collaborators: Collaborators): Endpoint {
  return {
    name: operation.name,
    path: operation.path,
    methods: operation.method === 'POST' ? ['GET', 'POST'] : ['GET'],
    key: 'required',
    bucket: operation.bucket,
    bodyBytesMax: operation.bodyBytesMax,
    textField: operation.textField,
    kept: operation.revalidates ? new KeptAnswers() : undefined,
    checkKey: (key) => checkScope(operation, key),
    handle(call) {
      const handler = call.method === 'GET' ? (operation.look ?? operation) : operation;
      return handler.handle(call.body, new CallContext(operation, call, collaborators), call.query);
    },
  };
}

/** @throws Problem `operation_not_allowed` */
function checkScope({ name }: Operation, { operations }: VerifiedKey): void {
  if (operations === null || operations.includes(name)) return;
  throw new Problem('operation_not_allowed', {
    error: `This API key may not call ${name}.`,
    hint: `It may call ${operations.join(', ')}. A server admin makes another key with /settings key create.`,
  });
}

class CallContext implements OperationContext {
  readonly #call: Call;
  readonly ownerId: string;
  readonly guildId: string | null;
  readonly secret: string | null;
  readonly now: OperationContext['now'];
  readonly images: OperationContext['images'];
  readonly members: OperationContext['members'];
  readonly tokenMembers: OperationContext['tokenMembers'];

  constructor({ secretHeader }: Operation, call: Call, collaborators: Collaborators) {
    this.#call = call;
    this.ownerId = call.key.ownerId;
    this.guildId = call.key.guildId;
    this.secret = secretHeader === null ? null : call.header(secretHeader);
    this.now = collaborators.now;
    this.images = collaborators.images;
    this.members = collaborators.members;
    this.tokenMembers = collaborators.tokenMembers;
  }

  // Made on demand: most operations never look.
  get signal(): AbortSignal {
    return this.#call.signal;
  }
}
