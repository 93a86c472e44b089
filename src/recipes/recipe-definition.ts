/**
 * What a bot does with an answer: time a member out, make a role, send the chunks, make an emoji, list the holders of a
 * role, list the roles with how many hold each, report how much of a text has been posted. Each builder writes this in
 * its own words.
 */
export type RecipeUse =
  | 'time_out'
  | 'make_role'
  | 'send_chunks'
  | 'make_emoji'
  | 'list_members'
  | 'list_roles'
  | 'post_text';

/** The permission that a command requires, named as in discord-api-types. */
export type RecipePermission =
  | 'ManageGuildExpressions'
  | 'ManageMessages'
  | 'ManageRoles'
  | 'ModerateMembers';

/** How recipes use an operation. */
export interface RecipeDefinition<Field extends string = string, Key extends string = string> {
  /** The recipe's command, without a prefix. */
  readonly command: string;
  /** null for a command that changes nothing and says nothing about other members. */
  readonly permission: RecipePermission | null;
  /**
   * The builder fills this field with `filledBy`: a command line as a user wrote it, the text after a command, a text
   * that may be longer than a message (in code also an attached file), an image, a role, or the user or the server of
   * a message.
   */
  readonly field: Field;
  readonly filledBy: 'line' | 'text' | 'long_text' | 'image' | 'role' | 'user' | 'guild';
  /** Fields to send along when the builder's variable leaves the command out of the line. */
  readonly withoutCommand?: Readonly<Partial<Record<Field, string>>>;
  /** Fields to send along, unless the reader sets them. */
  readonly options?: Readonly<Partial<Record<Field, string>>>;
  /** A list of keys: the recipe shows their values. */
  readonly use: RecipeUse | readonly Key[];
}
