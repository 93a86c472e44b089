import type { Language } from './registration/localisations.ts';

/** What `/role-members` and `/role-counts` say. */
interface RoleTexts {
  readonly members: string;
  readonly eligible: string;
  readonly all: string;
  readonly any: string;
  readonly none: string;
  readonly drawn: string;
  readonly more: string;
  readonly asOf: string;
  readonly tooMany: string;
  readonly counts: string;
  readonly showAndNotify: string;
}

const EN: RoleTexts = {
  members: 'Members',
  eligible: 'Drawn from',
  all: 'with all of',
  any: 'with at least one of',
  none: 'without',
  drawn: 'Drawn at random',
  more: 'and {n} more',
  asOf: 'As of {t}',
  tooMany: 'The list is too long for a file here. `GET /api/role-members` gives all of it.',
  counts: 'Members by role',
  showAndNotify: 'Show and notify them',
};

const TEXTS: Readonly<Record<Language, RoleTexts>> = {
  es: {
    members: 'Miembros',
    eligible: 'Sorteado entre',
    all: 'con todos estos roles:',
    any: 'con al menos uno de estos roles:',
    none: 'sin',
    drawn: 'Elegidos al azar',
    more: 'y {n} más',
    asOf: 'Situación: {t}',
    tooMany: 'La lista es demasiado larga para un archivo aquí. `GET /api/role-members` la da entera.',
    counts: 'Miembros por rol',
    showAndNotify: 'Mostrar y avisarles',
  },
  'pt-BR': {
    members: 'Membros',
    eligible: 'Sorteado entre',
    all: 'com todos estes cargos:',
    any: 'com pelo menos um destes cargos:',
    none: 'sem',
    drawn: 'Escolhidos ao acaso',
    more: 'e mais {n}',
    asOf: 'Situação: {t}',
    tooMany: 'A lista é longa demais para um arquivo aqui. `GET /api/role-members` dá a lista inteira.',
    counts: 'Membros por cargo',
    showAndNotify: 'Mostrar e avisar',
  },
  de: {
    members: 'Mitglieder',
    eligible: 'Gezogen aus',
    all: 'mit allen dieser Rollen:',
    any: 'mit mindestens einer dieser Rollen:',
    none: 'ohne',
    drawn: 'Zufällig gezogen',
    more: 'und {n} weitere',
    asOf: 'Stand: {t}',
    tooMany: 'Die Liste ist hier zu lang für eine Datei. `GET /api/role-members` gibt sie ganz aus.',
    counts: 'Mitglieder je Rolle',
    showAndNotify: 'Zeigen und benachrichtigen',
  },
  fr: {
    members: 'Membres',
    eligible: 'Tirage parmi',
    all: 'avec tous ces rôles :',
    any: 'avec au moins un de ces rôles :',
    none: 'sans',
    drawn: 'Tirés au sort',
    more: 'et {n} de plus',
    asOf: 'Au {t}',
    tooMany: 'La liste est trop longue pour un fichier ici. `GET /api/role-members` la donne en entier.',
    counts: 'Membres par rôle',
    showAndNotify: 'Montrer et prévenir',
  },
  tr: {
    members: 'Üyeler',
    eligible: 'Çekilişe katılan',
    all: 'şu rollerin hepsine sahip:',
    any: 'şu rollerden en az birine sahip:',
    none: 'şunlara sahip olmayan:',
    drawn: 'Rastgele seçilenler',
    more: 've {n} kişi daha',
    asOf: 'Tarih: {t}',
    tooMany: 'Liste burada bir dosya için çok uzun. `GET /api/role-members` tamamını verir.',
    counts: 'Role göre üyeler',
    showAndNotify: 'Göster ve bildir',
  },
  ru: {
    members: 'Участники',
    eligible: 'Выбрано из',
    all: 'со всеми этими ролями:',
    any: 'хотя бы с одной из этих ролей:',
    none: 'без',
    drawn: 'Выбраны случайно',
    more: 'и ещё {n}',
    asOf: 'Данные на {t}',
    tooMany: 'Список слишком длинный для файла. `GET /api/role-members` отдаёт его целиком.',
    counts: 'Участники по ролям',
    showAndNotify: 'Показать и уведомить',
  },
};

/** @param locale as Discord names it; English for all that we do not speak */
export function roleTexts(locale: string): RoleTexts {
  return Object.entries(TEXTS).find(([language]) => locale.startsWith(language))?.[1] ?? EN;
}
