import { testStorage } from "@posthorn/core/testing/contract";
import { openTestStorage } from "../test/open-test-storage.ts";

testStorage("pg", openTestStorage);
