module proof; endmodule
