import type { Field, Model, Type } from '../model.ts';

/** A language that models are written in: the file of a service, and its text. */
export type Language = {
  readonly path: (service: string) => string;
  readonly render: (service: string, models: readonly Model[]) => string;
};

export const MADE = 'Made of the OpenAPI document of Sinete. Do not edit.';
export const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /');
export const isFree = ({ optional, nullable }: Field): boolean => optional || nullable;

type Names = Readonly<Record<'string' | 'integer' | 'number' | 'boolean' | 'any', string>>;
type Containers = { readonly list: (of: string) => string; readonly map: (of: string) => string };

/**
 * How a language says a type.
 *
 * @example namer({ string: 'str', … }, { list: (of) => `List[${of}]`, … })({ kind: 'list', of: { kind: 'string' } })
 */
export const namer =
  (plain: Names, { list, map }: Containers, model = (name: string) => name) =>
  (type: Type): string => {
    const say = namer(plain, { list, map }, model);
    if (type.kind === 'list') return list(say(type.of));
    if (type.kind === 'map') return map(say(type.of));
    return type.kind === 'model' ? model(type.name) : plain[type.kind];
  };
