import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { standWhereCalled } from '../common/where-called.ts';

// Most of a short command is compiling code that has not changed since the last one.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/sinete/compiled'));

standWhereCalled('sign');
const { runSign } = await import('./run.ts');
process.exitCode = await runSign(process.argv.slice(2));
