// SchedulingPolicies
