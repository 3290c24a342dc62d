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

/** What the sign-in page needs at once, and two dialogs of the console, which opens without it. */
const passwords = /\/src\/(?:ui\/password-input|features\/auth\/auth-form)|\/lucide-react\/.*\/eye/;

/** What the sign-in page needs at once and the console's dialogs soon: too small for files of its own. One icon is large, and the sign-in page's alone. */
const soonInConsole =
  /\/src\/(?:ui\/(?!password-input)|features\/auth\/load-auth-service)|\/lucide-react\/(?!.*\/(?:fingerprint|eye))/;

/** Acts come with later dialogs and screens; only the library's list of all its parts names them earlier. */
const acts = /\/@tanstack\/.*\/(?:useMutation|mutationObserver)\./;

interface Entries {
  /** Absolute paths of the scripts. */
  readonly console: string;
  readonly signIn: string;
  /** What the sign-in page loads on demand: it may need nothing of the console's file, which starts the console. */
  readonly secondStep: string;
  readonly keepMethods: string;
  readonly authService: string;
}

/** Groups for the bundler's `codeSplitting`; the first that names a module takes it. */
export const initialChunkGroups = (entries: Entries) => {
  let sets: Record<keyof Entries, Set<string>> | null = null;
  const setsOf = (graph: ModuleGraph): Record<keyof Entries, Set<string>> => {
    for (const entry of Object.values(entries)) {
      if (graph.getModuleInfo(entry) === null) throw new Error(`No such module: ${entry}`);
    }
    sets ??= {
      console: closureOf(entries.console, graph),
      signIn: closureOf(entries.signIn, graph),
      secondStep: closureOf(entries.secondStep, graph),
      keepMethods: closureOf(entries.keepMethods, graph),
      authService: closureOf(entries.authService, graph),
    };
    return sets;
  };
  const group = (name: string, priority: number, also: readonly (keyof Entries)[]) => ({
    priority,
    debugName: name,
    name: (id: string, graph: ModuleGraph): string | null => {
      const of = setsOf(graph);
      if (acts.test(id)) return null;
      const inConsole = of.console.has(id) || (also.includes('signIn') && soonInConsole.test(id));
      return inConsole && (also.length === 0 || also.some((entry) => of[entry].has(id))) ? name : null;
    },
  });
  return [
    group('shared', 4, ['signIn']),
    { name: 'passwords', priority: 3, test: passwords },
    group('auth-client', 2, ['authService', 'secondStep', 'keepMethods']),
    group('console', 1, []),
    { name: 'acts', priority: 0, test: acts },
    // Those of several screens together, else each would be a file of its own.
    { name: 'icons', priority: 0, test: /\/lucide-react\//, minShareCount: 2 },
  ];
};
