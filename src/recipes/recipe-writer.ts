import { expandRequest, type Recipe, type RecipeRequest, type RecipeParts } from './recipe.ts';
import { previewOf, type CalledBy, type Replies } from './seen-in-discord.ts';
import { linesOf, type Step } from './steps.ts';

/** Writes recipes for one builder. */
export interface RecipeWriter {
  /** A sentence of Markdown: what its recipes were checked against, or that they were not. */
  readonly checked: string;
  /** True if its recipes send the rest of a long text. Default false: the builder cannot repeat a step. */
  readonly sendsRest?: boolean;
  /** True if its recipes ask permission-check before the bot acts on a member. Default false. */
  readonly asksFirst?: boolean;
  /** True if the variable that fills in a line has no command in it. Default false. */
  readonly leavesCommandOut?: boolean;
  /** Default `message`. */
  readonly calledBy?: CalledBy;
  /** The replies of its commands; null when the builder does not post to Discord. */
  readonly replies: Replies | null;
  /** The language of `code`. Default none. */
  readonly language?: string;
  /** The text to paste. Default: the fields and conditions of all steps, line by line. */
  code?(parts: RecipeParts): string;
  /** The first steps. Some are shown with a new key, so they must make sense without the recipe. */
  begin(parts: RecipeParts): readonly Step[];
  /** The steps after these, with fields and conditions. Default none. */
  fillIn?(parts: RecipeParts): readonly Step[];
  /** A further note, in one or two sentences of Markdown. */
  note(parts: RecipeParts): string;
}

export function writeRecipe(writer: RecipeWriter, request: RecipeRequest): Recipe {
  const parts = expandRequest(request);
  const { calledBy = 'message', replies, language = '' } = writer;
  const steps = [...writer.begin(parts), ...(writer.fillIn?.(parts) ?? [])];
  return {
    code: writer.code?.(parts) ?? writtenOut(steps),
    language,
    note: writer.note(parts),
    steps,
    seen: replies === null ? [] : previewOf(parts, calledBy, replies),
  };
}

/** The steps of a builder that is filled in field by field, as plain text. */
function writtenOut(steps: readonly Step[]): string {
  const blocks = steps.map((step) => linesOf(step).join('\n'));
  return blocks.filter((block) => block !== '').join('\n\n');
}
