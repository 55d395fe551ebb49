/** Door of the files: safe reading and writing where other users may write too. */

export { type CloneLink, cloneOf, linkInClone, realPathOf } from "./clone_link.ts";
export { lockFile, lockOpen, type LockOptions } from "./lock.ts";
export {
  type Distrust,
  distrustOf,
  ownerDistrust,
  type OwnershipOptions,
  trustsAll,
} from "./ownership.ts";
export { type OwnText, readOwn } from "./read_own.ts";
export { readRegular, readRegularText } from "./read_regular.ts";
export { isInside, refusalOf, RefusedFile } from "./project_file.ts";
export { isSameFolder } from "./same_folder.ts";
export { searchPath, type SearchPathOptions } from "./search_path.ts";
export { linkBelow, openStateFolder, stateDistrust, type StateOptions } from "./state.ts";
export { throughDraft, writeNew, type WriteOptions, writeWhole } from "./write_own.ts";
export {
  behindLink,
  entriesIn,
  hasTurn,
  isMissing,
  isNothing,
  MOST_LINKS,
  resolvePath,
  type Step,
  stepsTo,
  under,
  type WayOptions,
} from "./way.ts";
