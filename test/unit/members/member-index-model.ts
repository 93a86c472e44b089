/** The index in its plainest form: a map from members to sets of roles. */
export class MemberModel {
  readonly #guildId: string;
  readonly members = new Map<string, ReadonlySet<string>>();
  readonly roles = new Set<string>();
  readonly bots = new Set<string>();
  #confirmed: Set<string> | null = null;
  #wasSynced = false;
  #left = new Set<string>();
  #deletedRoles = new Set<string>();

  constructor(guildId: string) {
    this.#guildId = guildId;
  }

  get isSyncing(): boolean {
    return this.#confirmed !== null;
  }

  /** An index keeps the rows and changes of its first sync aside until it ends. */
  get isReadFirst(): boolean {
    return this.isSyncing && !this.#wasSynced;
  }

  upsert(id: string, roles: readonly string[], isBot = false): void {
    const held = new Set(roles.filter((role) => role !== this.#guildId));
    for (const role of held) this.roles.add(role);
    this.members.set(id, held);
    if (isBot) this.bots.add(id);
    else this.bots.delete(id);
    this.#confirmed?.add(id);
    this.#left.delete(id);
  }

  remove(id: string): boolean {
    this.#confirmed?.delete(id);
    if (this.#confirmed !== null) this.#left.add(id);
    return this.members.delete(id);
  }

  addRole(roleId: string): void {
    this.roles.add(roleId);
    this.#deletedRoles.delete(roleId);
  }

  deleteRole(roleId: string): void {
    this.roles.delete(roleId);
    if (this.#confirmed !== null) this.#deletedRoles.add(roleId);
    for (const [id, roles] of this.members) {
      if (roles.has(roleId)) this.members.set(id, roles.difference(new Set([roleId])));
    }
  }

  beginSync(): void {
    this.#confirmed = new Set();
    this.#left = new Set();
    this.#deletedRoles = new Set();
  }

  upsertSynced(id: string, roles: readonly string[], isBot = false): void {
    const held = roles.filter((role) => !this.#deletedRoles.has(role));
    // Which rows count is found out at the end, so all of them make their roles known.
    if (this.isReadFirst) for (const role of held) if (role !== this.#guildId) this.roles.add(role);
    if (this.#confirmed === null || this.#confirmed.has(id) || this.#left.has(id)) return;
    this.upsert(id, held, isBot);
  }

  finishSync(): void {
    this.#wasSynced ||= this.isSyncing;
    for (const id of this.members.keys()) if (this.#confirmed?.has(id) === false) this.members.delete(id);
    this.#confirmed = null;
    this.#left = new Set();
    this.#deletedRoles = new Set();
  }

  /** Reads the ascending holders of all roles in one walk over the members, because there may be 800 roles. */
  allHolders(): (roleId: string) => {
    readonly all: readonly string[];
    readonly people: readonly string[];
    readonly bots: readonly string[];
  } {
    const found = new Map<string, { all: string[]; people: string[]; bots: string[] }>();
    const ascending = [...this.members]
      .map(([id, roles]) => ({ id, roles, number: BigInt(id) }))
      .sort((a, b) => (a.number < b.number ? -1 : 1));
    for (const { id, roles } of ascending) {
      for (const role of [this.#guildId, ...roles]) {
        const holders = found.get(role) ?? { all: [], people: [], bots: [] };
        found.set(role, holders);
        holders.all.push(id);
        (this.bots.has(id) ? holders.bots : holders.people).push(id);
      }
    }
    return (roleId) => found.get(roleId) ?? { all: [], people: [], bots: [] };
  }
}
