/** Beside the dependencies and not with the data: it speaks of them, and outlives `--fresh`. */
export const CACHE = 'node_modules/.cache/sinete';
