import { testStorage } from "@posthorn/core/testing/contract";
import { openTestPostgres } from "../test/open-test-storage.ts";

testStorage("PostgreSQL", () => openTestPostgres());
