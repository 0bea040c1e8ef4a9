import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { type Engine, startEngine } from './engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    engine: Engine;
  }
}

/** Before the first file of the project: one engine for all of them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...engine } = await startEngine();
  project.provide('engine', engine);
  return stop;
}

export const sharedEngine = (): Engine => inject('engine');
