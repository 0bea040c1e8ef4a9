import type { Service } from './endpoint.ts';

/** The folder of the files that the build writes for a service. All code is one folder deep beside it, this file included. */
export const builtFilesOf = ({ name }: Service): URL => new URL(`../${name}/`, import.meta.url);
