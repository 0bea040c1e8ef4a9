// Templates against the schemas that AWS publishes of its resource types, as cfn-lint does: types, required properties,
// unknown names, kinds of values, attributes of Fn::GetAtt. The schemas are those of @aws-cdk/aws-service-spec.
import { loadAwsServiceSpec } from '@aws-cdk/aws-service-spec';
import type { Property, PropertyType, SpecDatabase } from '@aws-cdk/service-spec-types';
import type { Template } from './template.ts';

let loaded: Promise<SpecDatabase> | undefined;

const isExpression = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === 1 &&
  /^(Ref|Fn::.+|Condition)$/.test(Object.keys(value)[0] ?? '');

const TEXT = ['string', 'boolean', 'number'];

/** What is wrong with a template, one line for each finding. */
export async function schemaProblems(template: Pick<Template, 'Resources'>): Promise<string[]> {
  loaded ??= loadAwsServiceSpec();
  const db = await loaded;
  const problems: string[] = [];

  const checkObject = (place: string, value: unknown, properties: Readonly<Record<string, Property>>) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return void problems.push(`${place} must be an object`);
    const given = value as Record<string, unknown>;
    for (const [name, each] of Object.entries(given)) {
      const known = properties[name];
      if (known) check(`${place}.${name}`, each, [known.type, ...(known.previousTypes ?? [])]);
      else problems.push(`${place}.${name} is no property`);
    }
    for (const [name, { required }] of Object.entries(properties))
      if (required && !(name in given)) problems.push(`${place}.${name} is required`);
  };

  /** A value may be of any of the types that the property has or had. */
  function check(place: string, value: unknown, types: readonly PropertyType[]): void {
    const conditional = (value as { 'Fn::If'?: [string, unknown, unknown] } | null)?.['Fn::If'];
    if (conditional) for (const each of conditional.slice(1)) check(place, each, types);
    if (isExpression(value)) return;
    const before = problems.length;
    const first: string[] = [];
    for (const [n, type] of types.entries()) {
      checkType(place, value, type);
      const found = problems.splice(before);
      if (found.length === 0) return;
      if (n === 0) first.push(...found);
    }
    problems.push(...first);
  }

  function checkType(place: string, value: unknown, type: PropertyType): void {
    if (type.type === 'array') {
      if (!Array.isArray(value)) problems.push(`${place} must be a list`);
      else for (const [n, each] of value.entries()) check(`${place}[${n}]`, each, [type.element]);
    } else if (type.type === 'map') {
      if (typeof value !== 'object' || value === null) problems.push(`${place} must be a map`);
      else for (const [key, each] of Object.entries(value)) check(`${place}.${key}`, each, [type.element]);
    } else if (type.type === 'ref')
      checkObject(place, value, db.get('typeDefinition', type.reference.$ref).properties);
    else if (type.type === 'union') check(place, value, type.types);
    else if (type.type === 'tag') {
      const { Key, Value } = (value ?? {}) as { Key?: unknown; Value?: unknown };
      if (Key === undefined || Value === undefined) problems.push(`${place} must be a tag`);
    } else if (type.type === 'string') {
      if (!TEXT.includes(typeof value)) problems.push(`${place} must be a text`);
    } else if (type.type === 'boolean') {
      if (!/^(true|false)$/.test(String(value))) problems.push(`${place} must be true or false`);
    } else if (type.type === 'integer' || type.type === 'number') {
      if (!/^-?\d+(\.\d+)?$/.test(String(value))) problems.push(`${place} must be a number`);
    }
  }

  const resourceOf = (type: string) => db.lookup('resource', 'cloudFormationType', 'equals', type)[0];
  for (const [id, { Type, Properties = {} }] of Object.entries(template.Resources)) {
    const resource = resourceOf(Type);
    if (!resource) problems.push(`${id}: ${Type} is no resource type`);
    else checkObject(id, Properties, resource.properties);
  }
  for (const [id, attribute] of attributesIn(template)) {
    const resource = resourceOf(template.Resources[id]?.Type ?? '');
    if (resource && !(attribute in resource.attributes) && !(attribute in resource.properties))
      problems.push(`${id} has no attribute ${attribute}`);
  }
  return problems;
}

/** Every attribute that Fn::GetAtt or Fn::Sub takes of a resource. */
function attributesIn(value: unknown): [id: string, attribute: string][] {
  if (Array.isArray(value)) return value.flatMap(attributesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Fn::GetAtt') {
      const [id = '', attribute = ''] = Array.isArray(inner) ? inner.map(String) : String(inner).split('.');
      return [[id, attribute]];
    }
    if (key === 'Fn::Sub')
      return [...String([inner].flat()[0]).matchAll(/\$\{(\w+)\.(\w+)\}/g)].map(
        ([, id = '', attribute = '']) => [id, attribute] as [string, string],
      );
    return attributesIn(inner);
  });
}
