#!/usr/bin/env node
// The workstation agent: `npm run agent`, and `sinete-agent` where the package is installed. Plain JavaScript that any
// Node can read, so that one which is too old is told so in one line.
import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const ownPath = fileURLToPath(import.meta.url);

if (typeof nodeModule.registerHooks !== 'function') {
  console.error(
    `The agent needs Node 22.18 or newer; this is ${process.version}. With npm run agent it brings its own.`,
  );
  process.exit(1);
}

// Node reads TypeScript by itself, but not below node_modules, which is where an installed package is.
if (/[\\/]node_modules[\\/]/.test(ownPath)) {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('stripTypeScriptTypes')) emitWarning(warning, ...rest);
  };
  nodeModule.registerHooks({
    load(url, context, next) {
      if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
      const source = nodeModule.stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
      return { format: 'module', source, shortCircuit: true };
    },
  });
}

// Most of a start is compiling code that has not changed since the last one.
nodeModule.enableCompileCache();

const { runAgent } = await import('./run-agent.ts');
process.exitCode = await runAgent(process.argv.slice(2));
