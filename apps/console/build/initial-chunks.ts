/** Groups the modules of the initial bundles into few chunks, because each chunk costs a request. */
interface ModuleGraph {
  getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null;
}

/** Returns all static imports of `id`, direct and transitive. */
const staticImports = (id: string, graph: ModuleGraph, seen = new Set<string>()): Set<string> => {
  if (seen.has(id)) return seen;
  seen.add(id);
  for (const next of graph.getModuleInfo(id)?.importedIds ?? []) staticImports(next, graph, seen);
  return seen;
};

interface Entries {
  /** Absolute paths of the entry modules of the two documents. */
  readonly console: string;
  readonly signIn: string;
  /**
   * Modules that the sign-in page loads on demand. They must not import the `console` chunk, which starts the
   * console.
   */
  readonly secondFactor: string;
  readonly keepMethods: string;
  readonly authService: string;
}

/** Names of the chunks of the initial bundle of the console. Nearly all of their code runs immediately. */
export const initialChunkNames = ['shared', 'session', 'console'] as const;

const groupNames: readonly string[] = [...initialChunkNames, 'auth-client', 'forms', 'icons'];

/**
 * File names of the chunks. One that the bundler shares between dialogs gets no name: it would be that of any of its modules,
 * and the initial bundle lists all of them.
 */
export const chunkFileNames = ({ name, isDynamicEntry }: { name: string; isDynamicEntry: boolean }): string =>
  isDynamicEntry || groupNames.includes(name) ? 'assets/[name]-[hash].js' : 'assets/[hash].js';

/**
 * Returns the groups for `codeSplitting` of Rolldown. A module belongs to the matching group of the highest
 * priority.
 */
export const initialChunkGroups = (entries: Entries) => {
  let importSets: Record<keyof Entries, Set<string>> | null = null;
  const importsOf = (graph: ModuleGraph): Record<keyof Entries, Set<string>> => {
    for (const entry of Object.values(entries)) {
      if (graph.getModuleInfo(entry) === null) throw new Error(`No such module: ${entry}`);
    }
    importSets ??= {
      console: staticImports(entries.console, graph),
      signIn: staticImports(entries.signIn, graph),
      secondFactor: staticImports(entries.secondFactor, graph),
      keepMethods: staticImports(entries.keepMethods, graph),
      authService: staticImports(entries.authService, graph),
    };
    return importSets;
  };
  const group = (name: string, priority: number, sharedWith: readonly (keyof Entries)[]) => ({
    priority,
    debugName: name,
    // Static imports include those of index files of packages. This leaves out modules whose exports only code that loads
    // on demand uses.
    tags: ['$initial' as const],
    name: (id: string, graph: ModuleGraph): string | null => {
      const imports = importsOf(graph);
      const isShared = sharedWith.length === 0 || sharedWith.some((entry) => imports[entry].has(id));
      return imports.console.has(id) && isShared ? name : null;
    },
  });
  // In the initial bundle of the sign-in page. In the console, only dialogs use them, which load on demand.
  const forms = {
    priority: 3,
    minShareCount: 2,
    debugName: 'forms',
    name: (id: string, graph: ModuleGraph): string | null => {
      const { console, signIn } = importsOf(graph);
      return signIn.has(id) && !console.has(id) ? 'forms' : null;
    },
  };
  // One request for the icons that several dialogs and screens share, instead of one for each icon.
  const icons = { priority: 0, minShareCount: 2, name: 'icons', test: /lucide-react[\\/].*[\\/]icons[\\/]/ };
  // Loaded on demand in both documents. The group only gives the chunk its name.
  const authClient = {
    priority: 0,
    name: 'auth-client',
    test: /[\\/](?:@supabase[\\/]auth-js|tslib|api[\\/]auth-client)/,
  };
  return [
    group('shared', 4, ['signIn']),
    forms,
    // What the sign-in page loads after its form is usable, and the console immediately.
    group('session', 2, ['authService', 'secondFactor', 'keepMethods']),
    group('console', 1, []),
    icons,
    authClient,
  ];
};
