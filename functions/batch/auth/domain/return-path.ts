import { basePathOf, returnPathBelow } from '../../../../shared/access/return-path.ts';

/** The path of the service's base URL. Behind a gateway it may begin with a stage. @example basePath() // '/batch' */
export const basePath = (): string => basePathOf('batch');

/** Where a login leads: a path below the base URL. @example safeReturnPath('//evil.example') // '/batch/' */
export const safeReturnPath = (given: string | undefined): string => returnPathBelow(basePath(), given);
