/** Another writer changed the item first. Nothing was written: read the item and decide again. */
export class RaceLost extends Error {
  override readonly name = 'RaceLost';
}

/** An item with this id exists already. Nothing was written. */
export class AlreadyExists extends Error {
  override readonly name = 'AlreadyExists';
}
