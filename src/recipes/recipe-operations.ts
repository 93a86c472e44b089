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
import type { RecipeDefinition } from './recipe-definition.ts';

/** An operation that has recipes. */
export type RecipeOperation = Operation & { readonly recipe: RecipeDefinition };

/** Facts whose fields and keys the operation has. */
function defineRecipe<One extends Operation>(
  { name }: One,
  recipe: RecipeDefinition<FieldOf<One>, KeyOf<AnswerOf<One>>>,
): readonly [name: string, recipe: RecipeDefinition] {
  return [name, recipe];
}

const DEFINITIONS: ReadonlyMap<string, RecipeDefinition> = new Map([
  defineRecipe(parseArgs, {
    command: 'timeout',
    permission: 'ModerateMembers',
    field: 'text',
    filledBy: 'line',
    withoutCommand: { args_only: 'true' },
    use: 'time_out',
  }),
  defineRecipe(permissionEncoder, {
    command: 'makerole',
    permission: 'ManageRoles',
    field: 'permissions',
    filledBy: 'text',
    use: 'make_role',
  }),
  defineRecipe(permissionDecoder, {
    command: 'decode',
    permission: null,
    field: 'bitfield',
    filledBy: 'text',
    use: ['permissions'],
  }),
  defineRecipe(permissionCheck, {
    command: 'mypermissions',
    permission: null,
    field: 'user_id',
    filledBy: 'user',
    use: ['permissions'],
  }),
  defineRecipe(textSplitter, {
    command: 'post',
    permission: 'ManageMessages',
    field: 'text',
    filledBy: 'long_text',
    options: { dialect: 'github' },
    use: 'send_chunks',
  }),
  defineRecipe(send, {
    command: 'announce',
    permission: 'ManageMessages',
    field: 'text',
    filledBy: 'long_text',
    options: { dialect: 'github' },
    use: 'post_text',
  }),
  defineRecipe(imageToBase64, {
    command: 'addemoji',
    permission: 'ManageGuildExpressions',
    field: 'url',
    filledBy: 'image',
    options: { format: 'data_uri', for: 'emoji', fit: 'true' },
    use: 'make_emoji',
  }),
  defineRecipe(roleMembers, {
    command: 'rolemembers',
    permission: 'ManageRoles',
    field: 'role_id',
    filledBy: 'role',
    // As many ids as fit a message as mentions.
    options: { limit: '50' },
    use: 'list_members',
  }),
  defineRecipe(roleCounts, {
    command: 'countmembers',
    permission: 'ManageRoles',
    field: 'guild_id',
    filledBy: 'guild',
    use: 'list_roles',
  }),
]);

/** The operation with its recipe's definition; null if it has no field to fill in. */
export function withRecipe(operation: Operation): RecipeOperation | null {
  const recipe = DEFINITIONS.get(operation.name);
  return recipe === undefined ? null : { ...operation, recipe };
}

/** Every operation that has recipes, in the order in which the documents list them. */
export const RECIPE_OPERATIONS: readonly RecipeOperation[] = OPERATIONS.map(withRecipe).filter(
  (operation) => operation !== null,
);
