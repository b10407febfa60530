// The tags of the streaming cache, at their real size.
//
// In each bank one set is watched, chosen freely. The RAMs stand in for the emitted ones: they keep what belongs to that set
// and answer anything for the others. The replacement answers anything, so that the properties hold whichever way is chosen.
module ram_simple_dual_port_64x30 (
    input wire clk,
    input wire write_enable,
    input wire [5:0] write_address,
    input wire [29:0] write_data,
    input wire read_enable,
    input wire [5:0] read_address,
    input wire output_enable,
    output wire [29:0] read_data
);
    (* anyconst *) reg [5:0] watched;
    (* anyseq *) reg [29:0] elsewhere;
    reg [29:0] word;
    reg [29:0] read_latch;
    reg [29:0] read_output;
    always @(posedge clk) begin
        if (write_enable && write_address == watched) word <= write_data;
        if (read_enable) read_latch <= read_address == watched ? word : elsewhere;
        if (output_enable) read_output <= read_latch;
    end
    assign read_data = read_output;
endmodule

module ram_simple_dual_port_64x14 (
    input wire clk,
    input wire write_enable,
    input wire [5:0] write_address,
    input wire [13:0] write_data,
    input wire read_enable,
    input wire [5:0] read_address,
    input wire output_enable,
    output wire [13:0] read_data
);
    (* anyconst *) reg [5:0] watched;
    (* anyseq *) reg [13:0] elsewhere;
    reg [13:0] word;
    reg [13:0] read_latch;
    reg [13:0] read_output;
    always @(posedge clk) begin
        if (write_enable && write_address == watched) word <= write_data;
        if (read_enable) read_latch <= read_address == watched ? word : elsewhere;
        if (output_enable) read_output <= read_latch;
    end
    assign read_data = read_output;
endmodule

module victim (
    input wire clk,
    input wire [5:0] read_set,
    input wire [1:0] valids,
    output wire way,
    input wire [5:0] write_set,
    input wire clear,
    input wire hit,
    input wire fill,
    input wire used_way
);
    (* anyseq *) reg anything;
    assign way = anything;
endmodule

// One bank. Of the watched set it keeps for each way which tile was last given the place, and since when.
module watched_bank (
    input wire clk,
    input wire rst,
    // A slot goes, and what it wants of the bank.
    input wire goes,
    input wire used,
    input wire repeats,
    input wire is_near,
    input wire [28:0] key,
    input wire [5:0] set,
    // The cache is emptied.
    input wire drops,
    input wire drop_wanted,
    input wire sweeping,
    input wire [5:0] sweep_set,
    // What has become of the slot of four clocks before.
    input wire decides,
    input wire missed,
    input wire [28:0] miss_key,
    input wire way,
    input wire [5:0] place_set,
    input wire [13:0] user,
    input wire [13:0] number,
    // The memories.
    input wire [5:0] tags_0_watched,
    input wire [5:0] tags_1_watched,
    input wire [5:0] users_watched,
    input wire [29:0] tag_0,
    input wire [29:0] tag_1,
    input wire [13:0] users_word,
    input wire last_way,
    output wire hit,
    output wire hit_of_repeat
);
    (* anyconst *) reg [5:0] watched;
    always @* assume (tags_0_watched == watched && tags_1_watched == watched && users_watched == watched);

`ifdef SHORTENED
    // Sweeps begin at the last sets then.
    always @* assume (watched >= 6'd60);
`endif

    // How `address` marks it.
    wire [4:1] used_at;
    wire [23:0] sets;
    wire has_last;
    wire [28:0] last_key;
    wire [5:0] last_set;
    slot_marks #(.KEY(29), .SET(6)) marks (
        .clk(clk), .rst(rst), .goes(goes && used), .repeats(repeats), .is_near(is_near), .key(key), .set(set),
        .used_before(used_at), .sets_before(sets), .has_last(has_last), .last_key(last_key), .last_set(last_set)
    );

    // The slots under way, as they came.
    reg [4:1] repeats_at, old_at;
    reg [115:0] keys;
    always @(posedge clk) begin
        repeats_at <= {repeats_at[3:1], repeats};
        keys <= {keys[86:0], key};
        // Those that had gone when the cache was to be emptied.
        old_at <= {old_at[3:1], 1'b0} | {4{drops}};
    end
    wire [28:0] own_key = keys[115:87];
    wire [5:0] own_set = sets[23:18];
    wire looks_here = used_at[4] && own_set == watched;

    // Who has the places of the watched set, since the last reset.
    reg [1:0] given = 2'd0;
    reg [1:0] given_before_drop = 2'd0;
    reg [28:0] holder_0, holder_1;
    wire [28:0] holder = way ? holder_1 : holder_0;
    // The last slot that looked into the set.
    reg [13:0] last_user;
    reg swept = 1'b0;
    always @(posedge clk) begin
        if (rst) begin
            given <= 2'd0;
            swept <= 1'b0;
        end else begin
            if (looks_here && missed) given[way] <= 1'b1;
            if (sweeping && sweep_set == watched) swept <= 1'b1;
        end
        if (looks_here && missed && !way) holder_0 <= own_key;
        if (looks_here && missed && way) holder_1 <= own_key;
        if (looks_here && missed) given_before_drop[way] <= old_at[4] || drops;
        else if (drops) given_before_drop <= 2'd3;
        if (looks_here || (sweeping && sweep_set == watched)) last_user <= number;
    end
    always @* if (used_at[4]) begin
        of_a_slot: assert (decides);
        right_set: assert (place_set == own_set);
        right_tile: assert (miss_key == own_key);
    end
    always @* if (looks_here) begin
        holds_the_tile: assert (missed || (given[way] && holder == own_key));
        emptied: assert (missed || repeats_at[4] || old_at[4] || !given_before_drop[way]);
        repeat_hits: assert (!missed || !repeats_at[4]);
        last_user_told: assert (!missed || user == last_user);
    end
    always @* only_what_is_wanted: assert (!missed || used_at[4]);
    assign hit = looks_here && !missed && !repeats_at[4];
    assign hit_of_repeat = looks_here && !missed && repeats_at[4];

    // No two ways hold a tile, and a tag is that of the place's holder.
    wire same = tag_0[29] && tag_1[29] && tag_0[28:0] == tag_1[28:0];
    always @* if (swept) begin
        one_way: assert (!same);
        tag_of_holder: assert ((!tag_0[29] || (given[0] && tag_0[28:0] == holder_0))
            && (!tag_1[29] || (given[1] && tag_1[28:0] == holder_1)));
        user_kept: assert (users_word == last_user);
    end

    // For the induction: what the last slot that has been looked up left behind.
    reg has_decided = 1'b0;
    reg decided_here;
    reg [28:0] decided_key;
    reg [5:0] decided_set;
    reg decided_way;
    always @(posedge clk)
        if (rst) has_decided <= 1'b0;
        else if (used_at[4]) begin
            has_decided <= 1'b1;
            decided_key <= own_key;
            decided_set <= own_set;
            decided_way <= way;
        end
    wire [34:0] decided = {decided_set, decided_key};
    wire [34:0] youngest = used_at[1] ? {sets[5:0], keys[28:0]} : used_at[2] ? {sets[11:6], keys[57:29]}
        : used_at[3] ? {sets[17:12], keys[86:58]} : used_at[4] ? {sets[23:18], keys[115:87]} : decided;
    always @* begin
        last_is_known: assert (has_last == (has_decided || used_at != 4'd0)
            && (!has_last || {last_set, last_key} == youngest));
        last_has_place: assert (!(has_decided && decided_set == watched)
            || (decided_way ? given[1] && holder_1 == decided_key : given[0] && holder_0 == decided_key));
        way_is_last: assert (!has_decided || used_at[4] || last_way == decided_way);
        swept_first: assert (swept || (drop_wanted && sweep_set <= watched));
        old_are_before_sweep: assert ((old_at & used_at) == 4'd0 || (drop_wanted && !sweeping && sweep_set <= watched));
        empty_behind_sweep: assert (!(sweeping && sweep_set > watched) || !(tag_0[29] || tag_1[29]));
        sweeps_what_is_old: assert ((!(tag_0[29] && given_before_drop[0]) && !(tag_1[29] && given_before_drop[1]))
            || (drop_wanted && sweep_set <= watched) || !swept);
    end
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire tiles_active,
    input wire tiles_drops,
    input wire [3:0] tiles_used,
    input wire [3:0] tiles_repeats,
    input wire tiles_is_near,
    input wire [107:0] tiles_line,
    input wire [23:0] tiles_set,
    input wire [1:0] tiles_kind,
    input wire [5:0] tiles_sides,
    input wire [27:0] tiles_tap,
    input wire drop,
    input wire has_room
);
    wire advance, dropping, misses, leaves;
    wire [207:0] miss;
    wire [80:0] slot;
    wire [11:0] events;
    lookup dut (
        .clk(clk), .rst(rst), .tiles_active(tiles_active), .tiles_drops(tiles_drops), .tiles_used(tiles_used),
        .tiles_repeats(tiles_repeats), .tiles_is_near(tiles_is_near), .tiles_line(tiles_line), .tiles_set(tiles_set),
        .tiles_kind(tiles_kind), .tiles_sides(tiles_sides), .tiles_tap(tiles_tap),
        .advance(advance), .drop(drop), .dropping(dropping), .has_room(has_room), .misses(misses), .miss(miss),
        .leaves(leaves), .slot(slot), .events(events)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    wire goes = tiles_active && advance && !rst;
    wire drops = (drop || (tiles_drops && advance)) && !rst;
    wire inner_sweeping, inner_is_quiet, inner_is_open;
    wire [5:0] inner_sweep_set;
    wire [13:0] inner_number;
    wire [12:0] inner_fill_count;
    wire [3:0] inner_under_way_places;
    wire inner_queued;
    wire [4:1] under_way = inner_under_way_places;

    // Slots come out as they go in, each once, with the misses up to it counted.
    reg [5:1] gone = 5'd0;
    reg [139:0] taps;
    reg [29:0] sides;
    reg [9:0] kinds;
    reg [13:0] slots_left = 14'd0;
    reg [12:0] missing = 13'd0;
    wire [3:0] missed = miss[3:0];
    wire [12:0] missing_now = missing + missed[0] + missed[1] + missed[2] + missed[3];
    always @(posedge clk) begin
        gone <= rst ? 5'd0 : {gone[4:1], goes};
        taps <= {taps[111:0], tiles_tap};
        sides <= {sides[23:0], tiles_sides};
        kinds <= {kinds[7:0], tiles_kind};
        missing <= rst ? 13'd0 : missing_now;
        if (rst) slots_left <= 14'd0;
        else if (leaves) slots_left <= slots_left + 14'd1;
    end
    always @* begin
        each_slot_once: assert (leaves == gone[5]);
        only_of_slots: assert (gone[4] || missed == 4'd0);
        tells_of_misses: assert (misses == (missed != 4'd0));
        if (leaves) begin
            right_slot: assert (slot[80:53] == taps[139:112]);
            counts_misses: assert (slot[12:0] == missing);
        end
        if (misses) begin
            right_number: assert (miss[15:6] == slots_left[9:0] + leaves);
        end
    end

    // The words that a slot reads: of each bank of texels the parities of its tile, and the place of that tile.
    reg [27:0] places;
    always @(posedge clk) places <= miss[151:124];
    wire [5:0] own_sides = sides[29:24];
    wire indexed = kinds[8];
    wire [39:0] words;
    genvar bank;
    generate
        for (bank = 0; bank < 4; bank = bank + 1) begin : texels
            localparam COLUMN = bank % 2;
            localparam ROW = bank / 2;
            wire column_is_odd = own_sides[indexed ? ROW : COLUMN];
            wire row_is_odd = own_sides[2 + (indexed ? COLUMN : ROW)];
            wire [6:0] even = column_is_odd ? places[13:7] : places[6:0];
            wire [6:0] odd = column_is_odd ? places[27:21] : places[20:14];
            assign words[10 * bank +: 10] = {row_is_odd, column_is_odd, row_is_odd ? odd : even, own_sides[4 + ROW] && !indexed};
        end
    endgenerate
    always @* if (leaves) right_words: assert (slot[52:13] == words);

    // No more slots leave than are under way when there is no room any more.
    reg [6:1] had_room = 6'd0;
    always @(posedge clk) had_room <= rst ? 6'd0 : {had_room[5:1], has_room};
    always @* begin
        few_without_room: assert (!leaves || had_room != 6'd0);
        few_misses_without_room: assert (!misses || had_room[5:1] != 5'd0);
        waits_while_emptied: assert (!dropping || !advance);
    end

    wire [3:0] hit, hit_of_repeat;
    wire [5:0] inner_bank_0_tags_0_watched, inner_bank_0_tags_1_watched, inner_bank_0_users_watched;
    wire [29:0] inner_bank_0_tags_0_word, inner_bank_0_tags_1_word;
    wire [13:0] inner_bank_0_users_word;
    wire inner_bank_0_choice_last_way;
    watched_bank bank_0 (
        .clk(clk), .rst(rst), .goes(goes), .used(tiles_used[0]), .repeats(tiles_repeats[0]), .is_near(tiles_is_near),
        .key({tiles_kind, tiles_line[26:0]}), .set(tiles_set[5:0]), .drops(drops), .drop_wanted(dropping),
        .sweeping(inner_sweeping), .sweep_set(inner_sweep_set), .decides(gone[4]), .missed(missed[0]),
        .miss_key({miss[4], miss[5], miss[42:16]}), .way(miss[130]), .place_set(miss[129:124]), .user(miss[165:152]), .number(inner_number),
        .tags_0_watched(inner_bank_0_tags_0_watched), .tags_1_watched(inner_bank_0_tags_1_watched),
        .users_watched(inner_bank_0_users_watched), .tag_0(inner_bank_0_tags_0_word), .tag_1(inner_bank_0_tags_1_word),
        .users_word(inner_bank_0_users_word), .last_way(inner_bank_0_choice_last_way), .hit(hit[0]), .hit_of_repeat(hit_of_repeat[0])
    );
    wire [5:0] inner_bank_3_tags_0_watched, inner_bank_3_tags_1_watched, inner_bank_3_users_watched;
    wire [29:0] inner_bank_3_tags_0_word, inner_bank_3_tags_1_word;
    wire [13:0] inner_bank_3_users_word;
    wire inner_bank_3_choice_last_way;
    watched_bank bank_3 (
        .clk(clk), .rst(rst), .goes(goes), .used(tiles_used[3]), .repeats(tiles_repeats[3]), .is_near(tiles_is_near),
        .key({tiles_kind, tiles_line[107:81]}), .set(tiles_set[23:18]), .drops(drops), .drop_wanted(dropping),
        .sweeping(inner_sweeping), .sweep_set(inner_sweep_set), .decides(gone[4]), .missed(missed[3]),
        .miss_key({miss[4], miss[5], miss[123:97]}), .way(miss[151]), .place_set(miss[150:145]), .user(miss[207:194]), .number(inner_number),
        .tags_0_watched(inner_bank_3_tags_0_watched), .tags_1_watched(inner_bank_3_tags_1_watched),
        .users_watched(inner_bank_3_users_watched), .tag_0(inner_bank_3_tags_0_word), .tag_1(inner_bank_3_tags_1_word),
        .users_word(inner_bank_3_users_word), .last_way(inner_bank_3_choice_last_way), .hit(hit[3]), .hit_of_repeat(hit_of_repeat[3])
    );

`ifndef SHORTENED
    // For the induction.
    always @* begin
        slots_known: assert (under_way == gone[4:1] && inner_queued == gone[5]);
        quiet_is_quiet: assert (inner_is_quiet == (under_way == 4'd0));
        closed_while_dropping: assert (!dropping || !inner_is_open);
        sweeps_in_quiet: assert (!inner_sweeping || (under_way == 4'd0 && dropping));
        sweep_begins: assert (inner_sweeping || inner_sweep_set == 6'd0);
        number_is_count: assert (inner_number == slots_left + leaves && inner_fill_count == missing);
    end
`endif
    reg dropped = 1'b0;
    always @(posedge clk) if (drop && gone[1]) dropped <= 1'b1;
    always @* begin
        hit_after_miss: cover (hit[0]);
        repeat: cover (hit_of_repeat[3]);
        four_misses: cover (missed == 4'hf);
        miss_after_drop: cover (misses && dropped && !dropping);
    end
endmodule
