/** Roles that may do what no read-only transaction prevents. */

import { PackError } from "../../../errors.ts";
import type { TextRow } from "./rows.ts";

/** Roles whose functions reach files, programs and other sessions of the server, also in a read-only
 * transaction. A statement may take on any role that its own is a member of. */
const POWERFUL = `EXISTS (SELECT FROM pg_catalog.pg_roles r WHERE
  (r.rolsuper OR r.rolreplication OR r.rolname IN ('pg_execute_server_program',
    'pg_write_server_files', 'pg_read_server_files', 'pg_signal_backend'))
  AND pg_catalog.pg_has_role(session_user, r.oid, 'member'))`;

/** Holds for a function that the role, or one that it may take on, may call. */
const CALLABLE = `EXISTS (SELECT FROM pg_catalog.pg_roles r
  WHERE pg_catalog.pg_has_role(session_user, r.oid, 'member')
    AND pg_catalog.has_function_privilege(r.oid, p.oid, 'EXECUTE'))`;

/** A function that opens another connection or session, with a password that a program may know: what
 * it does there is in no read-only transaction. */
const LEAVING = `SELECT p.proname FROM pg_catalog.pg_proc p
  LEFT JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
    AND d.objid = p.oid AND d.deptype = 'e'
    AND d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
  LEFT JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
  WHERE (e.extname IN ('dblink', 'http', 'pg_background', 'aws_lambda', 'aws_s3')
      OR p.probin ~ '(^|/)(dblink|http|pg_background)([.]|$)')
    AND ${CALLABLE}
  ORDER BY 1 LIMIT 1`;

/** A function that reaches files. Those without privileges of their own let only superusers. */
const REACHING = `SELECT p.proname FROM pg_catalog.pg_proc p
  WHERE p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace AND p.proacl IS NOT NULL
    AND p.proname IN ('pg_read_file', 'pg_read_binary_file', 'pg_ls_dir', 'pg_stat_file',
      'lo_import', 'lo_export', 'pg_file_write', 'pg_file_sync', 'pg_file_rename',
      'pg_file_unlink', 'pg_file_read', 'pg_file_length', 'pg_logdir_ls')
    AND ${CALLABLE}
  ORDER BY 1 LIMIT 1`;

/** Query of what the role may do. */
export const MAY = `SELECT ${POWERFUL} AS powerful, (${LEAVING}) AS leaving,
  (${REACHING}) AS reaching`;

/** Refuses a role by the answer to `MAY`. Throws `PackError`. */
export function refuseRole({ powerful, leaving, reaching }: TextRow): void {
  if (powerful !== "f") {
    throw refusal(
      "it is a superuser, a member of one, or may use files, programs, other sessions or " +
        "replication of the server, which no read-only transaction prevents: use a role of its own " +
        "in the URL (GRANT pg_read_all_data TO reader)",
    );
  }
  if (leaving) {
    throw refusal(
      `it may call ${leaving}(), which opens another connection, and no read-only transaction ` +
        "prevents what that does: REVOKE EXECUTE ON ALL FUNCTIONS of the extension FROM PUBLIC",
    );
  }
  if (reaching) {
    throw refusal(
      `it may call ${reaching}(), which reaches files of the server, and no read-only transaction ` +
        "prevents that: REVOKE EXECUTE ON FUNCTION of that name FROM the role that has it",
    );
  }
}

function refusal(reason: string): PackError {
  const message = `Cannot read as this role: ${reason}, or set superuser: true for the connection`;
  return new PackError("blocked", message);
}
