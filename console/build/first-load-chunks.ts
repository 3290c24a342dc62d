/**
 * What a document loads at once comes in few files, because each costs a request and its headers: what
 * both documents need, the auth client (which the sign-in form needs later), and the console's first screen.
 */
interface ModuleGraph {
  getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null;
}

/** Everything that `id` imports, directly or through others, but not on demand. */
const closureOf = (id: string, graph: ModuleGraph, seen = new Set<string>()): Set<string> => {
  if (seen.has(id)) return seen;
  seen.add(id);
  for (const next of graph.getModuleInfo(id)?.importedIds ?? []) closureOf(next, graph, seen);
  return seen;
};

interface Entries {
  /** Absolute paths of the three scripts. */
  readonly console: string;
  readonly signIn: string;
  readonly authService: string;
}

/** Groups for the bundler's `codeSplitting`; the first that names a module takes it. */
export const firstLoadChunks = (entries: Entries) => {
  let sets: Record<keyof Entries, Set<string>> | null = null;
  const setsOf = (graph: ModuleGraph): Record<keyof Entries, Set<string>> => {
    sets ??= {
      console: closureOf(entries.console, graph),
      signIn: closureOf(entries.signIn, graph),
      authService: closureOf(entries.authService, graph),
    };
    return sets;
  };
  const group = (name: string, priority: number, also: keyof Entries | null) => ({
    priority,
    debugName: name,
    name: (id: string, graph: ModuleGraph): string | null => {
      const of = setsOf(graph);
      return of.console.has(id) && (also === null || of[also].has(id)) ? name : null;
    },
  });
  return [group('shared', 3, 'signIn'), group('auth-client', 2, 'authService'), group('console', 1, null)];
};
