import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CollectionTag, parseDocument, type ScalarTag } from 'yaml';
import { SERVICES } from '../shared/settings/names.ts';
import { parseOnce } from './parsed.ts';

export type Resource = { Type: string; Properties?: Record<string, unknown> };

/**
 * The CloudFormation resources of a service, for deployment and for the local engine: those of infra/service.yml in its
 * name, and those of infra/<name>.yml. The sandbox has only the latter.
 * @example readResources(root, 'session').SessionTable
 */
export function readResources(root: string, name: string): Record<string, Resource> {
  const isService = (SERVICES as readonly string[]).includes(name);
  const resources = { ...(isService && read(root, 'service', name)), ...read(root, name, name) };
  return hasSchedule(root, name) ? resources : withoutScheduleDeadLetter(resources, logicalPrefix(name));
}

type Functions = Record<string, { readonly events?: readonly Readonly<Record<string, unknown>>[] }>;

function hasSchedule(root: string, service: string): boolean {
  const path = join(root, 'functions', service, 'functions.yml');
  if (!existsSync(path)) return false;
  const functions = readYaml<Functions | null>(path) ?? {};
  return Object.values(functions).some(({ events = [] }) => events.some((event) => 'schedule' in event));
}

type Statement = { readonly Resource: unknown };
type Role = { Policies?: { PolicyDocument: { Statement: Statement[] } }[] };

/** Takes the dead-letter queue of schedules, its policy and the permission to send to it from a service that has none. */
function withoutScheduleDeadLetter(
  resources: Record<string, Resource>,
  prefix: string,
): Record<string, Resource> {
  const id = `${prefix}ScheduleDeadLetter`;
  const { [id]: _queue, [`${id}Policy`]: _policy, ...others } = resources;
  const role: Role = others[`${prefix}Role`]?.Properties ?? {};
  for (const { PolicyDocument } of role.Policies ?? [])
    PolicyDocument.Statement = PolicyDocument.Statement.filter(
      ({ Resource }) => JSON.stringify(Resource) !== JSON.stringify({ 'Fn::GetAtt': [id, 'Arn'] }),
    );
  return others;
}

function read(root: string, file: string, service: string): Record<string, Resource> {
  const path = join(root, 'infra', `${file}.yml`);
  if (!existsSync(path)) return {};
  const template = readAs('CloudFormation', path) as { Resources?: Record<string, Resource> } | null;
  const named = JSON.stringify(template?.Resources ?? {})
    .replaceAll('<service>', service)
    .replaceAll('<Service>', logicalPrefix(service));
  return JSON.parse(named);
}

/** The content of a YAML file with CloudFormation's short forms. @example readYaml('functions/hub/functions.yml') */
export const readYaml = <T>(path: string): T => readAs('YAML', path) as T;

function readAs(format: string, path: string): unknown {
  const text = readFileSync(path, 'utf8');
  return parseOnce(text, () => {
    const document = parseDocument(text, { customTags: tags });
    // A tag that is not known is a warning, and would be deployed without its function.
    const error = document.errors[0] ?? document.warnings[0];
    if (error) throw new Error(`${path} is not readable as ${format}: ${error.message}`, { cause: error });
    return document.toJS() ?? null;
  });
}

/** How the logical ids of a service begin. @example logicalPrefix('session') // 'Session' */
export const logicalPrefix = (service: string): string => service.charAt(0).toUpperCase() + service.slice(1);

/** The alarm of a kind for a stack. @example alarmName('sinete-prod-documents', 'errors') // 'sinete-prod-documents-errors' */
export const alarmName = (stack: string, kind: string): string => `${stack}-${kind}`;

const FUNCTIONS =
  'And Base64 Cidr Equals FindInMap GetAtt GetAZs If ImportValue Join Not Or Select Split Sub Transform';

/** CloudFormation's short forms for the `yaml` package: `!Sub x` is read as `{ 'Fn::Sub': 'x' }`. */
export const tags: (ScalarTag | CollectionTag)[] = [
  ...['Ref', 'Condition'].flatMap((name) => shortForm(name, name)),
  ...FUNCTIONS.split(' ').flatMap((name) => shortForm(name, `Fn::${name}`)),
];

function shortForm(name: string, key: string): (ScalarTag | CollectionTag)[] {
  const tag = `!${name}`;
  // Templates are deployed as JSON, where GetAtt takes a list.
  const argument = (text: string) => (name === 'GetAtt' ? text.split(/\.(.*)/s, 2) : text);
  return [
    { tag, resolve: (text) => ({ [key]: argument(text) }) },
    { tag, collection: 'seq', resolve: (list) => ({ [key]: list.toJSON() }) },
    { tag, collection: 'map', resolve: (map) => ({ [key]: map.toJSON() }) },
  ];
}
