/** Vite plugin: V8 compiles the initial bundle of the console while it loads. */
import type { Plugin } from 'vite';
import { initialChunkNames } from './initial-chunks.ts';

/**
 * Adds V8's explicit compile hint: the browser compiles the whole file on a background thread while it loads,
 * instead of each function on its first call. Other engines ignore the comment.
 */
export const compileWhileLoading = (): Plugin => ({
  name: 'lanternrock:compile-while-loading',
  generateBundle: {
    // The comment must be the first line, so no other plugin may run later.
    order: 'post',
    handler: (_options, bundle) => {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      for (const name of initialChunkNames) {
        const named = chunks.filter((chunk) => chunk.name === name);
        if (named.length === 0) throw new Error(`The chunk ${name} is missing from the build.`);
        for (const chunk of named) {
          chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
          if (chunk.map !== null) chunk.map.mappings = `;${chunk.map.mappings}`;
        }
      }
    },
  },
});
