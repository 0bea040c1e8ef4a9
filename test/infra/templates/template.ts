// What the template tests read out of a packaged CloudFormation template.

export type Properties = Record<string, unknown>;
export type Resource = {
  Type: string;
  Properties: Properties;
  DependsOn?: string | string[];
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
};
export type Template = {
  Resources: Record<string, Resource>;
  Outputs: Record<string, { Export?: unknown }>;
};

/** The resources of a type, each with its logical id. */
export const ofType = <P = Properties>(template: Template, type: string) =>
  Object.entries(template.Resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([id, resource]) => ({ id, ...resource, Properties: resource.Properties as P }));

const PSEUDO = /^AWS::/;

/** Every logical id that a value refers to, by Ref, Fn::GetAtt or Fn::Sub. */
export function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .flatMap(([key, inner]) => {
      if (key === 'Ref') return [String(inner)];
      if (key === 'Fn::GetAtt') return [String([inner].flat()[0]).split('.')[0] ?? ''];
      if (key === 'Fn::Sub') return namesIn(String([inner].flat()[0]));
      return references(inner);
    })
    .filter((id) => !PSEUDO.test(id));
}

const namesIn = (text: string): string[] =>
  [...text.matchAll(/\$\{([^}!]+)\}/g)].map(([, name]) => name?.split('.')[0] ?? '');

/** A circle of resources that wait for each other, which CloudFormation refuses; nothing if there is none. */
export function findCircle({ Resources }: Template): string[] | undefined {
  const done = new Set<string>();
  const visit = (id: string, way: string[]): string[] | undefined => {
    if (way.includes(id)) return [...way.slice(way.indexOf(id)), id];
    const resource = Resources[id];
    if (done.has(id) || !resource) return undefined;
    const next = [...references(resource.Properties), ...[resource.DependsOn ?? []].flat()];
    for (const other of next) {
      const circle = visit(other, [...way, id]);
      if (circle) return circle;
    }
    done.add(id);
    return undefined;
  };
  for (const id of Object.keys(Resources)) {
    const circle = visit(id, []);
    if (circle) return circle;
  }
  return undefined;
}

type Part = { PathPart: string; ParentId: { Ref?: string } };

/** The paths that the API of a template answers. */
export function pathsIn(template: Template): string[] {
  const parts = new Map(
    ofType<Part>(template, 'AWS::ApiGateway::Resource').map(({ id, Properties }) => [id, Properties]),
  );
  const pathOf = (id: string | undefined): string[] => {
    const part = parts.get(id ?? '');
    return part ? [...pathOf(part.ParentId.Ref), part.PathPart] : [];
  };
  const methods = ofType<{ ResourceId: { Ref?: string } }>(template, 'AWS::ApiGateway::Method');
  return methods.map(({ Properties }) => pathOf(Properties.ResourceId.Ref).join('/'));
}
