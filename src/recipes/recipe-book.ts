import { takeApart, type Recipe, type RecipeOrder, type RecipeParts } from './recipe.ts';
import { seeIt, type CalledBy, type Replies } from './seen-in-discord.ts';
import { linesOf, type Step } from './steps.ts';

/** A tool in which recipes are written. */
export interface RecipeBook {
  /** One sentence of Markdown that says what its recipes were checked against, or that they were not. */
  readonly checked: string;
  /** True if its recipes send the rest of a long text. Default false, for tools that cannot repeat a step. */
  readonly sendsRest?: boolean;
  /** True if its recipes ask permission-check before the bot acts on a member. Default false. */
  readonly asksFirst?: boolean;
  /** Default `message`. */
  readonly calledBy?: CalledBy;
  /** The replies of its commands; null when the tool does not post to Discord. */
  readonly replies: Replies | null;
  /** The language of `code`. Default none. */
  readonly language?: string;
  /** The text to paste. Default: the fields and conditions of all steps, line by line. */
  code?(parts: RecipeParts): string;
  /** The first steps. They make sense without the recipe, because some are shown with a new key. */
  begin(parts: RecipeParts): readonly Step[];
  /** The steps after these, with fields and conditions. Default none. */
  fillIn?(parts: RecipeParts): readonly Step[];
  /** A further note, in one or two sentences of Markdown. */
  note(parts: RecipeParts): string;
}

export function writeRecipe(book: RecipeBook, order: RecipeOrder): Recipe {
  const parts = takeApart(order);
  const { calledBy = 'message', replies, language = '' } = book;
  const steps = [...book.begin(parts), ...(book.fillIn?.(parts) ?? [])];
  return {
    code: book.code?.(parts) ?? writtenOut(steps),
    language,
    note: book.note(parts),
    steps,
    seen: replies === null ? [] : seeIt(parts, calledBy, replies),
  };
}

/** The steps of a tool that is filled in field by field, as plain text. */
function writtenOut(steps: readonly Step[]): string {
  const blocks = steps.map((step) => linesOf(step).join('\n'));
  return blocks.filter((block) => block !== '').join('\n\n');
}
