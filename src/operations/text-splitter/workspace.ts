import { Survey } from './chars/survey.ts';
import { PathMemory } from './chunks/path-memory.ts';
import { MarkupMemory } from './markup/markup-memory.ts';

/** What a longer text needs is kept only until the garbage collector wants it. */
const SHORT_LENGTH_MAX = 131_072;

/**
 * The memory that a split works in. Most texts are short, and getting memory for one took longer than reading it, so
 * one split after another uses the same.
 */
export class Workspace {
  readonly survey = new Survey();
  readonly markup = new MarkupMemory();
  readonly path = new PathMemory();
}

let idle: Workspace | null = null;
let idleLarge: WeakRef<Workspace> | null = null;

/** The caller's own until it is given back, so that splits can take turns. */
export function takeWorkspace(text: string): Workspace {
  const isShort = text.length <= SHORT_LENGTH_MAX;
  const workspace = (isShort ? idle : idleLarge?.deref()) ?? new Workspace();
  if (isShort) idle = null;
  else idleLarge = null;
  return workspace;
}

/** Nothing may look into it afterwards. */
export function giveBack(workspace: Workspace, text: string): void {
  if (text.length <= SHORT_LENGTH_MAX) idle = workspace;
  else idleLarge = new WeakRef(workspace);
}
