import type { ApplicationCommandOptionChoiceData, AutocompleteInteraction } from 'discord.js';

import { mayBegin } from '../../../kernel/edit-distance.ts';
import { CHOICE_LENGTH_MAX, CHOICES_MAX } from '../command.ts';
import { textOption } from '../options.ts';
import {
  foldLabel,
  foldPhrase,
  listLabels,
  permissionLabel,
} from '../../../operations/permissions/permission-labels.ts';
import { readPermissionNames } from '../../../operations/permissions/permission-names.ts';
import { PERMISSIONS } from '../../../operations/permissions/permission-table.ts';
import { clip } from '../../messages/markdown.ts';
import { translatorFor } from '../../locales/translator.ts';

/** An option for the name of a permission. */
export const permissionOption = textOption({ complete: suggestPermissions });

/**
 * `permission_2` … `permission_10`, next to `permission`. A choice has at most 100 characters, so each takes one name.
 */
export const FURTHER_NAMES = Array.from({ length: 9 }, (_, index) => `permission_${index + 2}`);

/**
 * Suggests the permissions whose name, or label in Discord's client, contains the last typed text. Exact matches come
 * first, then names that begin with it. Without any, those that begin with it but for a typo. Permissions already
 * chosen are left out.
 */
async function suggestPermissions(
  interaction: AutocompleteInteraction,
): Promise<readonly ApplicationCommandOptionChoiceData[]> {
  const focused = interaction.options.getFocused(true);
  const [, first = '', last = ''] = /^(.*,\s*)?(.*)$/s.exec(focused.value) ?? [];
  const before = namesIn(first);
  const prefix = before.map((name) => `${name}, `).join('');
  const others = ['permission', ...FURTHER_NAMES].filter((name) => name !== focused.name);
  const chosen = new Set([
    ...before,
    ...others.flatMap((name) => namesIn(interaction.options.getString(name) ?? '')),
  ]);
  const { language } = translatorFor(interaction.locale);
  const named = PERMISSIONS.filter(({ name }) => !chosen.has(name)).map(({ name }) => ({
    name,
    label: permissionLabel(name, language),
    names: [name, ...listLabels(name, language), permissionLabel(name, 'en')],
  }));
  const exact = named
    .map((each) => ({ ...each, rank: rankOf(each.names, last) }))
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => a.rank - b.rank);
  const found = exact.length > 0 ? exact : named.filter(({ names }) => mayMean(names, last));
  return found
    .map(({ name, label }) => ({ name: `${prefix}${name}`, label: label.replaceAll(',', '') }))
    .filter(({ name }) => name.length <= CHOICE_LENGTH_MAX)
    .slice(0, CHOICES_MAX)
    .map(({ name, label }) => ({ name: clip(`${name} · ${label}`, CHOICE_LENGTH_MAX), value: name }));
}

/** True when the typed text begins one of the names, with a typo or two. */
function mayMean(names: readonly string[], typed: string): boolean {
  if (typed.length > CHOICE_LENGTH_MAX) return false;
  return names.some((name) => mayBegin(foldLabel(typed), foldLabel(name)));
}

/** The names and labels in a text. A picked choice arrives as its name with the label. */
function namesIn(text: string): readonly string[] {
  const { known, unknown } = readPermissionNames(text);
  return [...new Set([...known.map(({ name }) => name), ...unknown])];
}

/** 0 when the typed text is one of the names, 1 when one begins with it, 2 when one contains it, else `Infinity`. */
function rankOf(names: readonly string[], typed: string): number {
  // With and without articles, which may be half typed.
  const ranks = [foldLabel, foldPhrase].flatMap((fold) => {
    const text = fold(typed);
    if (text === '' && fold === foldPhrase) return [];
    return names.map(fold).map((name) => {
      if (name === text) return 0;
      if (name.startsWith(text)) return 1;
      return name.includes(text) ? 2 : Infinity;
    });
  });
  return Math.min(...ranks);
}
