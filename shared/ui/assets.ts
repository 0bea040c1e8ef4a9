// The build puts the names in: `documents-action.js` is served as `documents-action-3KX5J2QA.js`, which may be kept
// for ever. Code that runs from its sources has no built assets, and calls them by their plain names.
declare const SINETE_ASSETS: Readonly<Record<string, string>> | undefined;

/**
 * The address of a script or stylesheet, below the service's base path that `root` leads to.
 * @example assetUrl('../../..', 'common.css') // '../../../assets/common-7GQ2M4ZD.css'
 */
export function assetUrl(root: string, name: string): string {
  if (typeof SINETE_ASSETS === 'undefined') return `${root}/assets/${name}`;
  const built = SINETE_ASSETS[name];
  if (!built) throw new Error(`The build made no asset ${name}.`);
  return `${root}/assets/${built}`;
}
