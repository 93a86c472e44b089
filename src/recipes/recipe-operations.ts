import { imageToBase64 } from '../operations/image-to-base64/operation.ts';
import { OPERATIONS } from '../operations/index.ts';
import type { AnswerOf, FieldOf, KeyOf, Operation } from '../operations/operation.ts';
import { parseArgs } from '../operations/parse-args/operation.ts';
import { permissionCheck } from '../operations/permission-check/operation.ts';
import { permissionDecoder } from '../operations/permission-decoder/operation.ts';
import { permissionEncoder } from '../operations/permission-encoder/operation.ts';
import { roleCounts } from '../operations/role-counts/operation.ts';
import { roleMembers } from '../operations/role-members/operation.ts';
import { send } from '../operations/send/operation.ts';
import { textSplitter } from '../operations/text-splitter/operation.ts';
import type { RecipeFacts } from './recipe-facts.ts';

/** An operation that has recipes. */
export type RecipeOperation = Operation & { readonly recipe: RecipeFacts };

/** Facts whose fields and keys the operation has. */
function facts<One extends Operation>(
  { name }: One,
  recipe: RecipeFacts<FieldOf<One>, KeyOf<AnswerOf<One>>>,
): readonly [name: string, recipe: RecipeFacts] {
  return [name, recipe];
}

const FACTS: ReadonlyMap<string, RecipeFacts> = new Map([
  facts(parseArgs, {
    command: 'timeout',
    permission: 'ModerateMembers',
    field: 'text',
    filledBy: 'line',
    withoutCommand: { args_only: 'true' },
    use: 'time_out',
  }),
  facts(permissionEncoder, {
    command: 'makerole',
    permission: 'ManageRoles',
    field: 'permissions',
    filledBy: 'text',
    use: 'make_role',
  }),
  facts(permissionDecoder, {
    command: 'decode',
    permission: null,
    field: 'bitfield',
    filledBy: 'text',
    use: ['permissions'],
  }),
  facts(permissionCheck, {
    command: 'mypermissions',
    permission: null,
    field: 'user_id',
    filledBy: 'user',
    use: ['permissions'],
  }),
  facts(textSplitter, {
    command: 'post',
    permission: 'ManageMessages',
    field: 'text',
    filledBy: 'long_text',
    options: { dialect: 'github' },
    use: 'send_chunks',
  }),
  facts(send, {
    command: 'announce',
    permission: 'ManageMessages',
    field: 'text',
    filledBy: 'long_text',
    options: { dialect: 'github' },
    use: 'post_text',
  }),
  facts(imageToBase64, {
    command: 'addemoji',
    permission: 'ManageGuildExpressions',
    field: 'url',
    filledBy: 'image',
    options: { format: 'data_uri' },
    use: 'make_emoji',
  }),
  facts(roleMembers, {
    command: 'rolemembers',
    permission: 'ManageRoles',
    field: 'role_id',
    filledBy: 'role',
    // As many ids as fit a message as mentions.
    options: { limit: '50' },
    use: 'list_members',
  }),
  facts(roleCounts, {
    command: 'countmembers',
    permission: 'ManageRoles',
    field: 'guild_id',
    filledBy: 'guild',
    use: ['members'],
  }),
]);

/** The operation with the facts that recipes need; null when it has no field to fill in. */
export function withRecipe(operation: Operation): RecipeOperation | null {
  const recipe = FACTS.get(operation.name);
  return recipe === undefined ? null : { ...operation, recipe };
}

/** Every operation that has recipes, in the order in which the documents list them. */
export const RECIPE_OPERATIONS: readonly RecipeOperation[] = OPERATIONS.map(withRecipe).filter(
  (operation) => operation !== null,
);
